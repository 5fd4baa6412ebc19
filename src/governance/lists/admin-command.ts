import type { Person } from '../../conversation/question.ts';
import type { LinkFlow } from '../../identity/link-flow.ts';
import { escapeMrkdwn } from '../../slack/text-out/neutralise.ts';
import type { Content } from '../../slack/views/content.ts';
import { ALLOCATION_TOPIC, LIMIT_TOPIC } from '../../slack/views/modal.ts';
import { type AllocationOpenPorts, openAllocationOf } from '../allocations/allocation-form.ts';
import { type LimitOpenPorts, openLimitOf } from '../limits/limit-form.ts';
import { handleReviewCommand, type ReviewCommandPorts } from '../review/review-command.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, CommandWork } from '../shell/admin-shell.ts';
import { ADMIN_USAGE, buildAdminSignIn, buildAdminText, buildSignedInAlready } from '../shell/failure-message.ts';
import type { Opened } from '../shell/modal.ts';
import { countEdits } from '../shell/values.ts';
import { type AdminList, type SayListPorts, sayList } from './admin-list.ts';
import { AGENTS } from './agents-message.ts';
import { AUDIT, toAuditQuery } from './audit-message.ts';
import { ENVIRONMENTS } from './environments-message.ts';
import { openSearch, type SearchPorts } from './inventory-search.ts';
import type { SearchState } from './inventory-search-views.ts';
import { LIMITS } from './limits-message.ts';
import { USAGE } from './usage-message.ts';

const FORMS = { limit: openLimitOf, allocation: openAllocationOf } satisfies Record<SearchState['command'], unknown>;

export const ADMIN_COMMAND = '/assistant-admin';

export type AdminCommandPorts = AllocationOpenPorts &
  LimitOpenPorts &
  ReviewCommandPorts &
  SayListPorts &
  SearchPorts &
  SignInPorts;

type SignInPorts = {
  signInVariant: LinkFlow['variant'];
  /** The name of the account that this person is signed in with for administration; '' where it is not known. Undefined: with none. */
  signedInAs(person: Person): Promise<string | undefined>;
};

/** `/assistant-admin` with the words of ADMIN_USAGE, for admins alone. */
export function registerAdminCommand(shell: AdminShell, ports: AdminCommandPorts): void {
  shell.onCommand(ADMIN_COMMAND, ({ text }) => chooseWork(text, ports));
}

function chooseWork(text: string, ports: AdminCommandPorts): CommandWork {
  const { word, rest, typed } = parseAdminCommand(text);
  const list = (which: AdminList, query: string): CommandWork => {
    return { run: (asking) => sayList(which, { query, page: 0 }, asking, ports) };
  };
  switch (word) {
    case 'limit':
      return { topic: LIMIT_TOPIC, open: (opened) => openFormOf(word, rest, opened, ports) };
    case 'allocation':
      return { topic: ALLOCATION_TOPIC, open: (opened) => openFormOf(word, rest, opened, ports) };
    case 'agents':
      // What is in quotes there is a value of a filter, or a name that looks like one.
      return list(AGENTS, typed);
    case 'environments':
      return list(ENVIRONMENTS, rest);
    case 'usage':
      return list(USAGE, rest);
    case 'audit':
      return list(AUDIT, toAuditQuery(text, rest));
    case 'limits':
      return list(LIMITS, rest);
    case 'review':
      return { run: (asking) => handleReviewCommand(rest, asking, ports) };
    case 'sign-in':
      return { run: async ({ caller, say }) => void (await say(await offerSignIn(caller, ports))) };
    case '':
    case 'help':
      return sayText(ADMIN_USAGE);
    default:
      return sayText(describeUnknown(word));
  }
}

function openFormOf(
  command: SearchState['command'],
  name: string,
  opened: Opened,
  ports: AdminCommandPorts,
): Promise<void> {
  return name === '' ? openSearch(command, opened, ports) : FORMS[command](name, opened, ports);
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
  if (meant === undefined) return `${unknown}\n${ADMIN_USAGE}`;
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

/** As keyboards make them; a quote alone, or a pair of them, is no name. */
const QUOTED = [/^["“”„«](.*)["“”»]$/, /^['‘‚](.*)['’‘]$/, /^`(.*)`$/, /^["“”„«»'‘’‚`]()$/];

/** Around the whole name only. Part of a name finds it, with or without. */
function stripQuotes(text: string): string {
  for (const quoted of QUOTED) {
    const inner = quoted.exec(text)?.[1];
    if (inner !== undefined) return inner.trim();
  }
  return text;
}

// The command that somebody meant who mistyped it.
const WORDS = 'agents environments usage limit limits allocation review audit sign-in help'.split(' ');

/** Undefined where no word of /assistant-admin is near: two slips of the finger, or one in a short word. */
export function findNearWord(typed: string): string | undefined {
  // Longer is no slip, and would be work.
  const word = typed.slice(0, 20).replaceAll('_', '-');
  const near = WORDS.map((known) => ({ known, slips: word.startsWith(`${known}-`) ? 0 : countEdits(word, known) }));
  const fitting = near.filter(({ known, slips }) => slips <= (Math.min(word.length, known.length) < 5 ? 1 : 2));
  return fitting.sort((one, other) => one.slips - other.slips)[0]?.known;
}
