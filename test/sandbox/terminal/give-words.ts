// What the words mean that are typed at the terminal. What is not understood is never posted.

import type { Sandbox, SandboxUser } from '../sandbox.ts';
import type { Message, View } from '../slack/records.ts';
import type { Offer, Offers } from './offers.ts';
import { CHANNEL, type Screen } from './screen.ts';

export const USAGE = `
You are Ana in #general of a Slack that runs on this machine, with the app in it.

  @assistant what is left of the launch budget?
                              mentions the assistant; it asks you to sign in, once
  > and who owns it?          goes on in the latest thread
  say hello                   writes to #general without a mention
  dm what day is tomorrow?    asks in your direct messages with the app
  sign in                     presses the button and signs in, in a scripted browser
  press 2                     presses a button that was shown
  enter Limit: 2,000          fills in a field of the modal in front of you, by its label
  /assistant-web-off …        asks with web search off; /assistant status, /assistant-admin … and the others
  as ben                      goes on as Ben, who may not see the budget: ask the same; or as lena, kim or ana
  help, quit
`;

const PEOPLE: Readonly<Record<string, SandboxUser>> = { ana: 'U0ANA', ben: 'U0BEN', kim: 'U0KIM', lena: 'U0LENA' };
const NOTHING_YET = 'ask something first, as in “@assistant what is left of the launch budget?”.';

/** A line of the person; prints what there is to say about it. */
export type GiveWords = (words: string) => Promise<void>;

/**
 * Signs this person in where one of the messages that they see asks for it, as far as a scripted browser gets. Returns what
 * its last page says; undefined where nothing asks.
 */
export type SignIn = (user: SandboxUser, messages: readonly Message[]) => Promise<string | undefined>;

type Terminal = {
  readonly world: Sandbox;
  readonly screen: Screen;
  readonly offers: Offers;
  /** Only the app knows its own pages. */
  readonly signIn: SignIn | undefined;
};

export function createGiveWords(terminal: Terminal): GiveWords {
  return async (words) => {
    const [first = ''] = words.split(/\s/, 1);
    const rest = words.slice(first.length).trim();
    const verb = VERBS[first.toLowerCase()];
    if (verb && (rest !== '' || TAKES_NOTHING.has(first))) return verb(terminal, rest);
    if (words.startsWith('/')) return giveCommand(terminal, first, rest);
    if (words.startsWith('>')) return sayInThread(terminal, words.slice(1).trim());
    if (MENTION.test(words)) return say(terminal, words);
    console.log(`I do not know “${words}”, and posted nothing. “help” lists what you can type.`);
  };
}

const MENTION = /(?<!\w)@assistant\b/gi;
/** What the app makes of it is seen when it comes: an app that is down is tried for minutes. */
const NOBODY_WAITS = { await: 'none' } as const;
const TAKES_NOTHING = new Set(['help']);

const VERBS: Readonly<Record<string, (terminal: Terminal, rest: string) => Promise<void>>> = {
  help: async () => console.log(USAGE),
  say,
  dm: async ({ world, screen }, rest) =>
    void (await world.slack.as(screen.user).say(world.slack.as(screen.user).dm, rest, NOBODY_WAITS)),
  as: async ({ screen }, rest) => {
    const user = PEOPLE[rest.toLowerCase()];
    if (!user) return console.log(`There is no “${rest}” here. There are: ${Object.keys(PEOPLE).join(', ')}.`);
    screen.switchTo(user);
  },
  press,
  enter,
  sign: async (terminal, rest) =>
    rest === 'in' ? signIn(terminal) : console.log('To sign in, type “sign in”; to sign out, “/assistant sign-out”.'),
};

async function say({ world, screen }: Terminal, words: string): Promise<void> {
  await world.slack.as(screen.user).say(CHANNEL, words.replace(MENTION, world.slack.mention), NOBODY_WAITS);
}

async function sayInThread({ world, screen }: Terminal, words: string): Promise<void> {
  const thread = screen.read().findLast(isRoot);
  if (!thread) return console.log(`There is no thread yet: ${NOTHING_YET}`);
  const text = words.replace(MENTION, world.slack.mention);
  await world.slack.as(screen.user).say(CHANNEL, text, { ...NOBODY_WAITS, threadTs: thread.ts });
}

async function giveCommand({ world, screen }: Terminal, name: string, text: string): Promise<void> {
  const { error } = await world.slack.as(screen.user).command(name, text, CHANNEL);
  if (error) console.log(`Slack says: ${name} failed with the error ${error}.`);
}

async function press({ world, screen, offers }: Terminal, rest: string): Promise<void> {
  const offer = offers.find(Number(rest));
  if (!offer) return console.log(`Nothing that is shown has the number ${rest}.`);
  const person = world.slack.as(screen.user);
  const { on } = offer;
  if ('ts' in on) return tellClick(offer, await person.click(on, toWanted(offer)));
  // The modal may have changed since it was shown.
  const view = person.openView();
  if (view?.id !== on.id) return console.log('That modal is closed.');
  if (offer.press === 'close') return person.closeView(view);
  if (offer.press !== 'submit') return tellClick(offer, await person.clickInView(view, toWanted(offer)));
  const { errors, error } = await person.submit(view);
  for (const [blockId, problem] of Object.entries(errors)) console.log(`${toLabel(view, blockId)}: ${problem}`);
  if (error) console.log(`Slack says: the modal failed with the error ${error}.`);
}

function toWanted({ press, words }: Offer): string {
  return typeof press === 'object' ? press.actionId : words;
}

function tellClick({ words }: Offer, { url, error }: { url: string | undefined; error: string | undefined }): void {
  if (url) console.log(`“${words}” opens ${url}`);
  if (error) console.log(`Slack says: “${words}” failed with the error ${error}.`);
}

function toLabel(view: View, blockId: string): string {
  const block = view.blocks.find(({ block_id }) => block_id === blockId);
  return String((block?.label as { text?: unknown } | undefined)?.text ?? blockId);
}

async function enter({ world, screen }: Terminal, rest: string): Promise<void> {
  const view = world.slack.as(screen.user).openView();
  if (!view) return console.log('No modal is in front of you.');
  const at = rest.indexOf(':');
  if (at < 0) return console.log('Name the field and what to enter, as in “enter Limit: 2,000”.');
  world.slack.as(screen.user).fill(view, { [rest.slice(0, at).trim()]: rest.slice(at + 1).trim() });
}

async function signIn({ world, screen, signIn }: Terminal): Promise<void> {
  const { user } = screen;
  if (!signIn)
    return console.log('Press the button of your app that asks for it: its address is shown. Open it in a browser.');
  const said = await signIn(user, screen.read());
  console.log(said ?? `Nothing asks you to sign in: ${NOTHING_YET}`);
  const person = world.slack.as(user);
  for (let view = person.openView(); view; view = person.openView()) await person.closeView(view);
}

function isRoot({ channel, threadTs, ts, ephemeralFor }: Message): boolean {
  return channel === CHANNEL && !ephemeralFor && (threadTs === undefined || threadTs === ts);
}
