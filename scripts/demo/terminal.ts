import { createInterface } from 'node:readline/promises';
import { signIn } from '../../test/sandbox/sign-in.ts';
import type { Message } from '../../test/sandbox/slack/records.ts';
import type { World } from '../../test/sandbox/world.ts';

const CHANNEL = 'C0GENERAL';

const USAGE = `
You are Ana in #general of a Slack that runs on this machine, with the real app in it.

  @assistant what is new?   mentions the assistant; it asks you to sign in, once
  sign in                   presses the button and signs in, in a scripted browser
  > and who owns it?        goes on in the latest thread
  /assistant-web-off …      asks with web search off; /assistant status and the other commands work, too
  quit
`;

const LOOK_EVERY_MS = 200;

/** The world in the terminal: what is typed is said in Slack as Ana; what she sees is printed as it arrives. */
export async function runTerminal(world: World): Promise<void> {
  console.log(USAGE);
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: 'ana> ' });
  const timer = setInterval(createPrinter(world), LOOK_EVERY_MS);
  const obey = createObedience(world);
  let isOpen = true;
  terminal.on('close', () => {
    isOpen = false;
  });
  terminal.prompt();
  for await (const line of terminal) {
    const words = line.trim();
    if (words === 'quit') break;
    if (words) await obey(words).catch((error: unknown) => console.log(error instanceof Error ? error.message : error));
    if (isOpen) terminal.prompt();
  }
  clearInterval(timer);
  terminal.close();
}

function createObedience(world: World): (words: string) => Promise<void> {
  const { slack } = world;
  const ana = slack.as('U0ANA');
  let thread: string | undefined;

  async function giveCommand(words: string): Promise<void> {
    const [name = '', ...text] = words.split(' ');
    const { reply } = await ana.command(name, text.join(' '), CHANNEL);
    if (reply) console.log(slack.render(reply));
  }

  async function say(words: string): Promise<void> {
    const text = words.replace(/^>\s*/, '').replaceAll('@assistant', slack.mention);
    if (words.startsWith('>') && thread) await ana.say(CHANNEL, text, { threadTs: thread });
    else thread = (await ana.say(CHANNEL, text)).ts;
  }

  return async (words) => {
    if (words.startsWith('/')) return giveCommand(words);
    if (words !== 'sign in') return say(words);
    const { page } = await signIn(world, 'U0ANA');
    console.log(`${page.heading}\n${page.text}`);
  };
}

/** Prints every message that Ana has not seen yet and that is not her own. */
function createPrinter({ slack }: World): () => void {
  const ana = slack.as('U0ANA');
  const seen = new Set<string>();
  return () => {
    const roots = ana.sees(CHANNEL);
    const replies = roots.flatMap(({ ts }) => ana.sees(CHANNEL, ts));
    for (const message of [...ana.sees(ana.dm), ...roots, ...replies]) {
      const key = `${message.channel}:${message.ts}:${message.edits}`;
      if (seen.has(key) || message.user === 'U0ANA') continue;
      seen.add(key);
      console.log(`\n${describePlace(message)}\n${slack.render(message)}\n`);
    }
  };
}

function describePlace({ channel, threadTs, ephemeralFor }: Message): string {
  const place = channel === CHANNEL ? '#general' : 'direct message';
  return `— ${place}${threadTs ? ', in the thread' : ''}${ephemeralFor ? ', only you see this' : ''}`;
}
