import type { Person } from '../../conversation/question.ts';
import type { LinkFlow } from '../../identity/link-flow.ts';
import { escapeMrkdwn } from '../../slack/text-out/neutralise.ts';
import type { Content } from '../../slack/views/content.ts';
import type { AllocationOpenPorts } from '../allocations/allocation-form.ts';
import type { LimitOpenPorts } from '../limits/limit-form.ts';
import { handleReviewCommand, type ReviewCommandPorts } from '../review/review-command.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, CommandWork } from '../shell/admin-shell.ts';
import { buildAdminSignIn, buildAdminText, buildSignedInAlready } from '../shell/failure-message.ts';
import type { Opened } from '../shell/modal.ts';
import { countEdits } from '../shell/values.ts';
import { type SayListPorts, sayList } from './admin-list-listeners.ts';
import { AGENTS } from './agents-message.ts';
import { AUDIT, toAuditQuery } from './audit-message.ts';
import { ENVIRONMENTS } from './environments-message.ts';
import { FORMS, openSearch, type SearchPorts } from './inventory-search-listeners.ts';
import { SEARCHES, type SearchState } from './inventory-search-views.ts';
import { LIMITS } from './limits-message.ts';
import type { AdminList } from './list-message.ts';
import { USAGE } from './usage-message.ts';

export const ADMIN_COMMAND = '/assistant-admin';

export type AdminCommandPorts = AllocationOpenPorts &
  LimitOpenPorts &
  ReviewCommandPorts &
  SayListPorts &
  SearchPorts &
  SignInPorts;

type SignInPorts = {
  signInVariant: LinkFlow['variant'];
  /** The account that this person is signed in with for administration; '' where its name is not known. Undefined: none. */
  signedInAs(person: Person): Promise<string | undefined>;
};

/** `/assistant-admin`, for admins alone. */
export function registerAdminCommand(shell: AdminShell, ports: AdminCommandPorts): void {
  shell.onCommand(ADMIN_COMMAND, ({ text }) => chooseWork(text, ports));
}

type Command = {
  usage: string;
  toWork(command: AdminCommand & { text: string }, ports: AdminCommandPorts): CommandWork;
};

/** What `/assistant-admin help` lists, in its order. */
const COMMANDS = new Map(
  Object.entries<Command>({
    agents: {
      usage:
        '`/assistant-admin agents [name] [env:<environment>] [owner:<id>] [harness]` lists agents. `harness` leaves those that a harness made; `harness:no` and `harness:unknown` leave the others.',
      // Quotes there mark the value of a filter, or a name that looks like a filter.
      toWork: ({ typed }, ports) => showList(AGENTS, typed, ports),
    },
    environments: {
      usage:
        '`/assistant-admin environments [name]` lists environments, with their owners and how many agents they have.',
      toWork: ({ rest }, ports) => showList(ENVIRONMENTS, rest, ports),
    },
    usage: {
      usage: '`/assistant-admin usage [environment]` shows what has been used of the credits, and where that leads.',
      toWork: ({ rest }, ports) => showList(USAGE, rest, ports),
    },
    limits: {
      usage: '`/assistant-admin limits [agent]` lists agents with their monthly credit limits and what they have used.',
      toWork: ({ rest }, ports) => showList(LIMITS, rest, ports),
    },
    limit: {
      usage:
        '`/assistant-admin limit [agent]` sets the limit of one agent; part of its name is enough, and without one you search it. You see what would change, say why, and confirm it.',
      toWork: ({ rest }, ports) => openForm('limit', rest, ports),
    },
    allocation: {
      usage:
        '`/assistant-admin allocation [environment]` shows the credits of one environment and the rules for them, and sets them.',
      toWork: ({ rest }, ports) => openForm('allocation', rest, ports),
    },
    review: {
      usage:
        '`/assistant-admin review` compares everything with the register of what is approved, and reports in our direct messages; `review export` writes the register out with what was decided in Slack.',
      toWork: ({ rest }, ports) => ({ run: (asking) => handleReviewCommand(rest, asking, ports) }),
    },
    audit: {
      usage:
        '`/assistant-admin audit [text]` shows who changed what, the latest first; a text finds names, ids, people and reasons.',
      toWork: ({ text, rest }, ports) => showList(AUDIT, toAuditQuery(text, rest), ports),
    },
    'sign-in': {
      usage:
        '`/assistant-admin sign-in` signs you in to the administrative interface, which checks your rights there, too.',
      toWork: (_, ports) => ({ run: async ({ caller, say }) => void (await say(await offerSignIn(caller, ports))) }),
    },
  }),
);

const HELP = [...[...COMMANDS.values()].map(({ usage }) => usage), 'Only you see the answers.'].join('\n');

function chooseWork(text: string, ports: AdminCommandPorts): CommandWork {
  const command = parseAdminCommand(text);
  const { word } = command;
  if (word === '' || word === 'help') return sayText(HELP);
  return COMMANDS.get(word)?.toWork({ ...command, text }, ports) ?? sayText(describeUnknown(word));
}

function showList(list: AdminList, query: string, ports: AdminCommandPorts): CommandWork {
  return { run: (asking) => sayList(list, { query, page: 0 }, asking, ports) };
}

function openForm(command: SearchState['command'], name: string, ports: AdminCommandPorts): CommandWork {
  const open = (opened: Opened) =>
    name === '' ? openSearch(command, opened, ports) : FORMS[command](name, opened, ports);
  return { topic: SEARCHES[command].topic, open };
}

function sayText(text: string): CommandWork {
  return { run: async ({ say }) => void (await say(buildAdminText(escapeMrkdwn(text)))) };
}

async function offerSignIn(caller: Caller, ports: SignInPorts): Promise<Content> {
  const account = await ports.signedInAs(caller);
  return account === undefined
    ? buildAdminSignIn(ports.signInVariant)
    : buildSignedInAlready(ports.signInVariant, account);
}

function describeUnknown(word: string): string {
  const unknown = `I do not know \`${word.slice(0, 50).replaceAll('`', '')}\`.`;
  const meant = findNearWord(word);
  if (meant === undefined) return `${unknown}\n${HELP}`;
  return `${unknown} Did you mean \`${meant}\`? \`/assistant-admin help\` lists everything.`;
}

/** `typed`: as it was typed; `rest`: without the quotes around all of it. */
export type AdminCommand = { word: string; rest: string; typed: string };

/** The first word in lower case, and what follows it: the name of an agent, perhaps in quotes. */
export function parseAdminCommand(text: string): AdminCommand {
  const [word = '', ...rest] = decode(text).trim().split(/\s+/);
  const typed = rest.join(' ');
  return { word: word.toLowerCase(), rest: stripQuotes(typed), typed };
}

/**
 * Slack escapes what is typed after a command, and puts what looks like an address or a person into brackets:
 * https://docs.slack.dev/interactivity/implementing-slash-commands. A name that holds such a thing is meant as typed.
 */
function decode(text: string): string {
  return text
    .replace(/<([@#]?)([^<>|]*)(?:\|([^<>]*))?>/g, (_, sign: string, target: string, label?: string) => {
      return `${sign}${label || target}`;
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** All kinds that keyboards make. A quote alone, or an empty pair, is no name. */
const QUOTED = [/^["“”„«](.*)["“”»]$/, /^['‘‚](.*)['’‘]$/, /^`(.*)`$/, /^["“”„«»'‘’‚`]()$/];

/** Around the whole name only: part of a name may have quotes of its own. */
function stripQuotes(text: string): string {
  for (const quoted of QUOTED) {
    const inner = quoted.exec(text)?.[1];
    if (inner !== undefined) return inner.trim();
  }
  return text;
}

/** Which command was meant. Undefined where none is near: two typing errors are forgiven, in a short word one. */
export function findNearWord(typed: string): string | undefined {
  // A longer text is no typing error, and would be slow to compare.
  const word = typed.slice(0, 20).replaceAll('_', '-');
  const near = [...COMMANDS.keys(), 'help'].map((known) => ({
    known,
    slips: word.startsWith(`${known}-`) ? 0 : countEdits(word, known),
  }));
  const fitting = near.filter(({ known, slips }) => slips <= (Math.min(word.length, known.length) < 5 ? 1 : 2));
  return fitting.sort((one, other) => one.slips - other.slips || one.known.length - other.known.length)[0]?.known;
}
