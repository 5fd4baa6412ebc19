import { escapeMrkdwn } from '../../slack/text-out/neutralise.ts';
import { buildSection, type Content } from '../../slack/views/content.ts';
import { openPause, openResume, type PauseOpenPorts } from '../channel-rules/pause-form.ts';
import { PAUSE_TOPIC, RESUME_TOPIC } from '../channel-rules/pause-form-views.ts';
import { CHANNEL } from '../channel-rules/rule-words.ts';
import { openRules, type RulesOpenPorts } from '../channel-rules/rules-form.ts';
import { RULES_TOPIC } from '../channel-rules/rules-form-views.ts';
import { sayRules } from '../channel-rules/rules-message.ts';
import { parseExport } from '../exports/slack-export.ts';
import { exportLatestReport } from '../review/report-export-command.ts';
import { handleReviewCommand, type ReviewCommandPorts } from '../review/review-command.ts';
import { type ReclassifyPorts, sayClassified } from '../review-actions/reclassify-action.ts';
import type { AccountPorts } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Asking, CommandWork, TakeWaiting } from '../shell/admin-shell.ts';
import { buildAdminSignIn, buildSignedInAlready, NO_INTERFACE } from '../shell/failure-message.ts';
import type { Opened } from '../shell/modal.ts';
import { countEdits } from '../shell/typed-text.ts';
import { type SayListPorts, sayList, withWaitNote } from './admin-list-listeners.ts';
import { AGENTS } from './agents-message.ts';
import { AUDIT, toAuditQuery } from './audit-message.ts';
import { ENVIRONMENTS } from './environments-message.ts';
import { exportInsights, exportList, exportRules, type ListExportPorts } from './export-listeners.ts';
import { type InsightPorts, sayInsights } from './insights-message.ts';
import { FORMS, type FormPorts, openSearch, type SearchPorts } from './inventory-search-listeners.ts';
import { SEARCHES, type SearchState } from './inventory-search-views.ts';
import { LIMITS } from './limits-message.ts';
import type { AdminList, ListName } from './list-message.ts';
import { USAGE } from './usage-message.ts';

export const ADMIN_COMMAND = '/assistant-admin';

export type AdminCommandPorts = FormPorts &
  ListExportPorts &
  InsightPorts &
  PauseOpenPorts &
  RulesOpenPorts &
  ReclassifyPorts &
  ReviewCommandPorts &
  SayListPorts &
  SearchPorts &
  AccountPorts & {
    /** What the doctor finds, seen from this process. Takes up to half a minute. */
    doctor(): Promise<Content>;
  };

/** `/assistant-admin`, for admins alone. */
export function registerAdminCommand(shell: AdminShell, ports: AdminCommandPorts): TakeWaiting {
  return shell.onCommand(ADMIN_COMMAND, (text, place) => chooseWork(text, place, ports));
}

type Command = {
  /** Undefined where that of another one says it. */
  usage?: string;
  /** It needs the administrative interface. */
  needsInterface?: true;
  /** `place`: the conversation that the command was given in. */
  toWork(command: GivenCommand, ports: AdminCommandPorts): CommandWork;
  /** What `export csv` at its end does; undefined where there is nothing to export. */
  toExport?(command: GivenCommand, ports: AdminCommandPorts): CommandWork;
};

type GivenCommand = AdminCommand & { text: string; place: string };

/** What `/assistant-admin help` lists, in its order. */
const TOPICS: Record<string, Record<string, Command>> = {
  'Find and read': {
    agents: {
      needsInterface: true,
      usage: '`agents [name] [filters]` lists agents.',
      // Quotes there mark the value of a filter, or a name that looks like a filter.
      toWork: ({ typed }, ports) => showList(AGENTS, typed, ports),
      toExport: ({ typed }, ports) => exportFrom('agents', typed, ports),
    },
    environments: {
      needsInterface: true,
      usage: '`environments [name] [filters]` lists environments, their owners, and how many agents they have.',
      toWork: ({ typed }, ports) => showList(ENVIRONMENTS, typed, ports),
      toExport: ({ typed }, ports) => exportFrom('environments', typed, ports),
    },
    usage: {
      needsInterface: true,
      usage: '`usage [environment] [filters]` shows what has been used of the credits, in all and by environment.',
      toWork: ({ typed }, ports) => showList(USAGE, typed, ports),
      toExport: ({ typed }, ports) => exportFrom('usage', typed, ports),
    },
    limits: {
      needsInterface: true,
      usage: '`limits [agent] [filters]` lists agents with their monthly limits and what they have used.',
      toWork: ({ typed }, ports) => showList(LIMITS, typed, ports),
      toExport: ({ typed }, ports) => exportFrom('limits', typed, ports),
    },
  },
  'Change what may be spent': {
    limit: {
      needsInterface: true,
      usage: '`limit [agent] [credits]` sets the limit of one agent; part of its name is enough.',
      toWork: ({ rest }, ports) => openForm('limit', rest, ports),
    },
    stop: {
      needsInterface: true,
      usage: '`stop [agent]` stops one agent at once, for everybody; `run [agent]` lets it run again.',
      toWork: ({ rest }, ports) => openForm('stop', rest, ports),
    },
    run: {
      needsInterface: true,
      toWork: ({ rest }, ports) => openForm('run', rest, ports),
    },
    allocation: {
      needsInterface: true,
      usage: '`allocation [environment] [credits]` shows and sets the credits of one environment, and its rules.',
      toWork: ({ rest }, ports) => openForm('allocation', rest, ports),
    },
  },
  'Compare with what is approved': {
    review: {
      needsInterface: true,
      usage: [
        '`review` compares everything with the register of what is approved.',
        '`review export` writes the register out with what was decided in Slack, `review draft` what it lacks.',
        '`review classifications [name]` changes or withdraws what was classified in Slack.',
      ].join('\n• '),
      toWork: ({ rest }, ports) => ({ run: (asking) => chooseReview(rest, asking, ports) }),
      toExport: (_, ports) => ({ run: (asking) => exportLatestReport(asking, ports) }),
    },
  },
  'This workspace, and this app': {
    channels: {
      usage: '`channels [#channel]` shows and sets the rules of channels.',
      toWork: ({ text, place }, ports) => chooseRules(text, place, ports),
      toExport: (_, ports) => ({ run: (asking) => exportRules(asking, ports), isForAll: true }),
    },
    pause: {
      usage: '`pause [message]` answers every question in this workspace with your message, until `resume`.',
      toWork: ({ rest }, ports) => ({ topic: PAUSE_TOPIC, openOwn: (opened) => openPause(rest, opened, ports) }),
    },
    resume: {
      toWork: (_, ports) => ({ topic: RESUME_TOPIC, openOwn: (opened) => openResume(opened, ports) }),
    },
    insights: {
      usage: '`insights [7, 30 or 90 days]` shows how the assistant is used here, in counts that name nobody.',
      toWork: ({ rest }, ports) => ({ run: (asking) => sayInsights(rest, asking, ports), isForAll: true }),
      toExport: ({ rest }, ports) => ({ run: (asking) => exportInsights(rest, asking, ports), isForAll: true }),
    },
    audit: {
      usage: '`audit [text]` shows who changed what, the latest first.',
      toWork: ({ text, rest }, ports) => showList(AUDIT, toAuditQuery(text, rest), ports),
      toExport: ({ text, rest }, ports) => exportFrom('audit', toAuditQuery(text, rest), ports),
    },
    doctor: {
      usage: '`doctor` checks the app, its store, Slack and the services.',
      toWork: (_, ports) => ({ run: (asking) => sayDoctor(asking, ports) }),
    },
    'sign-in': {
      needsInterface: true,
      usage: '`sign-in` signs you in to the administrative interface.',
      toWork: (_, ports) => ({ run: async ({ caller, say }) => void (await say(await offerSignIn(caller, ports))) }),
    },
  },
};

const COMMANDS = new Map(Object.values(TOPICS).flatMap((commands) => Object.entries(commands)));

const HELP = [
  ...Object.entries(TOPICS).map(([topic, commands]) =>
    [`*${topic}*`, ...Object.values(commands).flatMap(({ usage }) => (usage ? [`• ${usage}`] : []))].join('\n'),
  ),
  'Filters of lists: `env:production`, `owner:@kim`, `harness`, `none`, `stopped`, `over:80`. Behind a list or `review`, `export csv` sends all of it as a file.',
];

function chooseWork(text: string, place: string, ports: AdminCommandPorts): CommandWork {
  const command = parseAdminCommand(text);
  const { word } = command;
  if (word === '' || word === 'help') return sayText(...HELP);
  const known = COMMANDS.get(word);
  if (!known) return sayText(...describeUnknown(word));
  if (known.needsInterface && !ports.hasInterface) return sayText(NO_INTERFACE);
  const exported = parseExport(text);
  if (exported !== undefined && known.toExport) {
    return known.toExport({ ...parseAdminCommand(exported), text: exported, place }, ports);
  }
  return known.toWork({ ...command, text, place }, ports);
}

function showList(list: AdminList, query: string, ports: AdminCommandPorts): CommandWork {
  return { run: (asking) => sayList(list, { query, page: 0 }, asking, ports) };
}

function chooseReview(rest: string, asking: Asking, ports: AdminCommandPorts): Promise<void> {
  const [word, ...name] = rest.split(' ');
  if (word?.toLowerCase() !== 'classifications') return handleReviewCommand(rest, asking, ports);
  return sayClassified({ query: name.join(' '), page: 0 }, asking, ports);
}

function exportFrom(list: ListName, query: string, ports: AdminCommandPorts): CommandWork {
  return { run: (asking) => exportList(list, { query }, asking, ports) };
}

function openForm(command: SearchState['command'], name: string, ports: AdminCommandPorts): CommandWork {
  const open = (opened: Opened) =>
    name === '' ? openSearch(command, opened, ports) : FORMS[command](name, opened, ports);
  return { topic: SEARCHES[command].topic, open, isCounted: command !== 'stop' };
}

/** Slack names the channel by its id where it knows it: https://docs.slack.dev/interactivity/implementing-slash-commands */
function chooseRules(text: string, place: string, ports: AdminCommandPorts): CommandWork {
  const channel = /<#([CG][A-Z0-9]+)(?:\|[^<>]*)?>/.exec(text)?.[1];
  if (channel) return { topic: RULES_TOPIC, openOwn: (opened) => openRules({ channel }, opened, ports) };
  if (parseAdminCommand(text).rest !== '') return sayText(UNKNOWN_CHANNEL);
  return { run: (asking) => sayRules(CHANNEL.test(place) ? place : undefined, asking, ports), isForAll: true };
}

const UNKNOWN_CHANNEL =
  'I do not know that channel. Write `/assistant-admin channels #` and choose it from the list that Slack shows, or give `/assistant-admin channels` in the channel itself.';

function sayText(...paragraphs: string[]): CommandWork {
  const escaped = paragraphs.map(escapeMrkdwn);
  const content = { text: escaped.join('\n'), blocks: escaped.map(buildSection) };
  return { run: async ({ say }) => void (await say(content)) };
}

async function sayDoctor({ say }: Asking, { doctor }: AdminCommandPorts): Promise<void> {
  await say(await withWaitNote(say, 'Looking at everything. This takes up to half a minute…', doctor));
}

async function offerSignIn(caller: Caller, ports: AccountPorts): Promise<Content> {
  const account = await ports.adminAccount(caller);
  return account?.isSignedIn ? buildSignedInAlready(account.name ?? '') : buildAdminSignIn();
}

function describeUnknown(word: string): string[] {
  const unknown = `I do not know \`${word.slice(0, 50).replaceAll('`', '')}\`.`;
  const meant = findNearWord(word);
  if (meant === undefined) return [`${unknown} Try \`review\`, \`limits\` or \`help\`.`];
  return [`${unknown} Did you mean \`${meant}\`? \`/assistant-admin help\` lists everything.`];
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
    .replace(/(\bowner:\s*)?<([@#]?)([^<>|]*)(?:\|([^<>]*))?>/gi, (_, owner = '', sign, target, label) => {
      // An owner is looked up by the Slack user id.
      return owner !== '' && sign === '@' ? `${owner}<@${target}>` : `${owner}${sign}${label || target}`;
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
