// `/assistant-admin`: ten commands, and a few that the home tab has as well.
import { CHANNEL_ID } from '../../policy/target.ts';
import { escapeMrkdwn } from '../../slack/text-out/neutralise.ts';
import { buildSection, type Content, toContent } from '../../slack/views/content.ts';
import { openPause, PAUSE_TOPICS } from '../channel-rules/pause-form.ts';
import { openRules, RULES_FORM } from '../channel-rules/rules-form.ts';
import { sayRules, sendRules } from '../channel-rules/rules-message.ts';
import { formCommand } from '../forms/form-command.ts';
import { insightsCommand } from '../lists/insights-message.ts';
import { listCommand } from '../lists/list-listeners.ts';
import type { ListingServices } from '../lists/list-reader.ts';
import { logCommand } from '../lists/log-message.ts';
import { policyCommand } from '../policy-documents/policy-command.ts';
import { reviewCommand } from '../review/review-command.ts';
import { NO_INTERFACE } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Asking, CommandWork, TakeWaiting } from '../shell/admin-shell.ts';
import { buildAdminSignIn, buildSignedInAlready } from '../shell/failure-message.ts';
import { withWaitNote } from '../shell/respond.ts';
import { countEdits } from '../shell/typed-text.ts';

export const ADMIN_COMMAND = '/assistant-admin';

/** For admins. Auditors may use the commands that change nothing. */
export function registerAdminCommand(shell: AdminShell, services: ListingServices): TakeWaiting {
  return shell.onCommand(ADMIN_COMMAND, (text, place) => chooseWork(text, place, services));
}

/** `text`: as Slack sent it. `place`: the conversation that it was given in. */
type Given = AdminCommand & { text: string; place: string };

type Command = { needsInterface?: true; toWork(given: Given, services: ListingServices): CommandWork };

const COMMANDS: Record<string, Command> = {
  agents: { needsInterface: true, toWork: ({ typed }, services) => listCommand('agents', typed, services) },
  environments: { needsInterface: true, toWork: ({ typed }, services) => listCommand('environments', typed, services) },
  limit: { needsInterface: true, toWork: ({ rest }, services) => formCommand('limit', rest, services) },
  stop: { needsInterface: true, toWork: ({ rest }, services) => formCommand('stop', rest, services) },
  run: { needsInterface: true, toWork: ({ rest }, services) => formCommand('run', rest, services) },
  credits: { needsInterface: true, toWork: ({ rest }, services) => formCommand('credits', rest, services) },
  review: { needsInterface: true, toWork: ({ rest, place }, services) => reviewCommand(rest, services, place) },
  policy: { toWork: choosePolicy },
  log: { toWork: ({ typed }, services) => logCommand(typed, services) },
  'sign-in': {
    needsInterface: true,
    toWork: (_, services) => ({
      run: async ({ caller, say }) => void (await say(await offerSignIn(caller, services))),
      check: { forAuditors: true },
    }),
  },
  rules: { toWork: chooseRules },
  pause: { toWork: (given, services) => pauseCommand('pause', given, services) },
  resume: { toWork: (given, services) => pauseCommand('resume', given, services) },
  insights: { toWork: ({ rest }, services) => insightsCommand(rest, services) },
  doctor: { toWork: (_, services) => ({ run: (asking) => sayDoctor(asking, services) }) },
};

/** The names of all commands. */
export const COMMAND_WORDS: readonly string[] = Object.keys(COMMANDS);

const HELP = [
  [
    'After `/assistant-admin`:',
    '`agents` · `environments` list what there is; words filter, `csv` at the end sends a file',
    '`limit` · `stop` · `run` with an agent, `stop` and `run` with `env:X`, too',
    '`credits` with an environment: its credits and rules',
    '`review` what differs from the policy',
    '`policy` shows, exports and imports it',
    '`log travel 2026-03` who did what, and why',
    '`sign-in`',
  ],
  [
    'Filters: `class:maker` `env:lab` `owner:@kim` `over:80` `stopped` `harness` `nolimit` `pool` `payg`',
    'Also: `rules` `pause` `resume` `insights` `doctor`',
  ],
].map((lines) => lines.join('\n'));

function chooseWork(text: string, place: string, services: ListingServices): CommandWork {
  const command = parseAdminCommand(text);
  const { word } = command;
  if (word === '' || word === 'help') return sayText(...HELP);
  const known = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (!known) return sayText(describeUnknown(word));
  if (known.needsInterface && !services.hasInterface) return sayText(NO_INTERFACE);
  return known.toWork({ ...command, text, place }, services);
}

/** Rules of channels apply to the whole installation. */
const FOR_ALL = { isForAll: true };

function pauseCommand(what: 'pause' | 'resume', { rest }: Given, services: ListingServices): CommandWork {
  return { topic: PAUSE_TOPICS[what], open: (opened) => openPause(what, rest, opened, services), check: FOR_ALL };
}

function chooseRules({ text, rest, place }: Given, services: ListingServices): CommandWork {
  const channel = readChannel(text);
  if (channel)
    return { topic: RULES_FORM.topic, open: (opened) => openRules(channel, opened, services), check: FOR_ALL };
  if (rest.toLowerCase() === 'csv') return { run: (asking) => sendRules(asking, services), check: FOR_ALL };
  if (rest !== '') return sayText(UNKNOWN_CHANNEL);
  return { run: (asking) => sayRules(CHANNEL_ID.test(place) ? place : undefined, asking, services), check: FOR_ALL };
}

function choosePolicy({ text, rest }: Given, services: ListingServices): CommandWork {
  const channel = readChannel(text);
  return policyCommand(channel === undefined ? rest : `effective ${channel}`, services);
}

const UNKNOWN_CHANNEL =
  'I do not know that channel. Write `/assistant-admin rules #` and choose it from the list that Slack shows.';

/** Slack sends the id of a channel that it knows: https://docs.slack.dev/interactivity/implementing-slash-commands */
function readChannel(text: string): string | undefined {
  return /<#([CG][A-Z0-9]+)(?:\|[^<>]*)?>/.exec(text)?.[1];
}

function sayText(...paragraphs: string[]): CommandWork {
  const escaped = paragraphs.map(escapeMrkdwn);
  const content = toContent(escaped.map(buildSection));
  return { run: async ({ say }) => void (await say(content)), check: { forAuditors: true } };
}

async function sayDoctor({ say }: Asking, { doctor }: Pick<ListingServices, 'doctor'>): Promise<void> {
  await say(await withWaitNote(say, 'Looking at everything. This takes up to half a minute…', doctor));
}

async function offerSignIn(caller: Caller, services: Pick<ListingServices, 'adminAccount'>): Promise<Content> {
  const account = await services.adminAccount(caller);
  return account?.isSignedIn ? buildSignedInAlready(account.name ?? '') : buildAdminSignIn();
}

function describeUnknown(word: string): string {
  const meant = findNearWord(word);
  return meant === undefined
    ? 'Unknown. Try `review`, `limit`, `help`.'
    : `Unknown. Did you mean \`${meant}\`? Or try \`help\`.`;
}

/** `typed`: as it was typed; `rest`: without the quotes around all of it. */
export type AdminCommand = { word: string; rest: string; typed: string };

/** The first word in lower case, and what follows it. */
export function parseAdminCommand(text: string): AdminCommand {
  const [word = '', ...rest] = decode(text).trim().split(/\s+/);
  const typed = rest.join(' ');
  return { word: word.toLowerCase(), rest: stripQuotes(typed), typed };
}

/**
 * Slack escapes what is typed after a command, and puts what looks like an address or a person into brackets:
 * https://docs.slack.dev/interactivity/implementing-slash-commands. Names get back what was typed. Owners, and people and
 * channels in the log, are looked up by their Slack ids.
 */
function decode(text: string): string {
  const isLog = /^\s*log\b/i.test(text);
  return text
    .replace(/(\bowner:\s*)?<([@#]?)([^<>|]*)(?:\|([^<>]*))?>/gi, (_, owner = '', sign, target, label) => {
      if (sign === '@' && owner !== '') return `owner:<@${target}>`;
      if (sign !== '' && isLog) return target;
      return `${owner}${sign}${label || target}`;
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** All kinds that keyboards make. A quote alone, or an empty pair, is no name. */
const QUOTED = [/^["“”„«»「](.*)["“”«»」]$/, /^['‘‚](.*)['’‘]$/, /^`(.*)`$/, /^["“”„«»「」'‘’‚`]()$/];

/** Around the whole name only: part of a name may have quotes of its own. */
function stripQuotes(text: string): string {
  for (const quoted of QUOTED) {
    const inner = quoted.exec(text)?.[1];
    if (inner !== undefined) return inner.trim();
  }
  return text;
}

/** The command that was probably meant. Forgives two typing errors, or one in a short word. Undefined: none is near. */
export function findNearWord(typed: string): string | undefined {
  // A longer text is no typing error, and would be slow to compare.
  const word = typed.slice(0, 20).replaceAll('_', '-');
  const near = [...COMMAND_WORDS, 'help'].map((known) => ({
    known,
    slips: word.startsWith(`${known}-`) || known === `${word}s` || word === `${known}s` ? 0 : countEdits(word, known),
  }));
  const fitting = near.filter(({ known, slips }) => slips <= (Math.min(word.length, known.length) < 5 ? 1 : 2));
  return fitting.sort((one, other) => one.slips - other.slips || one.known.length - other.known.length)[0]?.known;
}
