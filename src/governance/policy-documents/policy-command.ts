// `/assistant-admin policy`: shows, exports and imports it, lists what ends with *End now*, and says where a value comes from.
import type { ActionsBlock, SectionBlock } from '@slack/types';
import { endException } from '../../policy/edit.ts';
import {
  type Entry,
  formatDay,
  isOver,
  listClasses,
  ofInstallation,
  type Policy,
  readEntry,
  type Why,
} from '../../policy/policy.ts';
import { isSameId, toEntryKey } from '../../policy/target.ts';
import {
  buildButton,
  buildSection,
  type Content,
  fitBlocks,
  toContent,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { sendFileTo } from '../exports/slack-export.ts';
import { toNames } from '../inventory/known-inventory.ts';
import { describeWhy } from '../operations/effective-words.ts';
import { describeValue, OPERATIONS } from '../operations/operations.ts';
import { type NameTarget, readTargetNames } from '../run/item-words.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Role } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { type AdminShell, type Asking, buildCommandButton, type CommandWork } from '../shell/admin-shell.ts';
import { buildActions, buildLines, buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { Opened } from '../shell/modal.ts';
import { formatCount, formatCredits } from '../shell/numbers.ts';
import { readKnown, sayEffective } from './effective-message.ts';
import { IMPORT_TOPIC, openImport, registerImport } from './import-form.ts';
import { writeDocument } from './write-document.ts';

const UNKNOWN =
  'Unknown. Try `policy`, `policy export`, `policy import`, `policy ending` or `policy effective #channel`.';

type Work = (rest: string, asking: Asking, services: GovernanceServices) => Promise<void>;

/** What changes nothing: auditors may do it as well. */
const WORDS: Record<string, Work> = {
  '': sayPolicy,
  export: sendExport,
  ending: sayEnding,
  effective: sayEffective,
};

/** `text`: what follows `policy`. */
export function policyCommand(text: string, services: GovernanceServices): CommandWork {
  const [word = '', ...rest] = text.trim().split(/\s+/);
  if (word.toLowerCase() === 'import')
    return { topic: IMPORT_TOPIC, open: (opened) => openImport(rest[0], opened, services), check: { isForAll: true } };
  const work = WORDS[word.toLowerCase()] ?? (async (_, { say }) => void (await say(buildAdminText(UNKNOWN))));
  return { run: (asking) => work(rest.join(' '), asking, services), check: { forAuditors: true } };
}

async function readOwnPolicy({ workspace }: Caller, { policy }: Pick<GovernanceServices, 'policy'>): Promise<Policy> {
  return ofInstallation((await policy.read()).policy, workspace);
}

async function sayPolicy(_rest: string, { caller, role, say }: Asking, services: GovernanceServices): Promise<void> {
  const policy = await readOwnPolicy(caller, services);
  await say(buildPolicyMessage(policy, { now: services.now(), role }));
}

async function sayEnding(_rest: string, { caller, role, say }: Asking, services: GovernanceServices): Promise<void> {
  const [policy, name] = await Promise.all([readOwnPolicy(caller, services), readTargetNames(services)]);
  await say(buildEnding(policy, name, { now: services.now(), canEnd: role === 'admin' }));
}

const SENT = buildAdminText('I sent it to you in our direct messages.');

async function sendExport(_rest: string, asking: Asking, services: GovernanceServices): Promise<void> {
  const [policy, known] = await Promise.all([readOwnPolicy(asking.caller, services), readKnown(services)]);
  const file = {
    name: `policy-${policy.revision}.yaml`,
    content: writeDocument(policy, toNames(known)),
    comment: `*Policy ${policy.revision}*: change the file, and give \`/assistant-admin policy import\` to see what that does.`,
  };
  await sendFileTo(asking, file, SENT, services);
}

/** Written into messages: never rename. */
const END_ACTION = 'policy_end_exception';

const END_TOPIC = { id: 'policy_end', title: 'End an exception', loading: 'Looking up what that changes…' };

const NOT_THERE = 'This exception has ended already.';

/** Registers what is clicked and submitted. */
export function registerPolicy(shell: AdminShell, services: GovernanceServices): void {
  registerImport(shell, services);
  const button = { actionId: END_ACTION, topic: END_TOPIC, parse: (key: string) => key, outOfDate: NOT_THERE };
  const check = { isForAll: !services.hasInterface };
  shell.onModalButton({ ...button, check }, (key, opened) => showEnd(key, opened, services));
}

async function showEnd(key: string, opened: Opened, services: GovernanceServices): Promise<void> {
  const { policy } = await services.policy.read();
  const entry = policy.entries[key];
  const isOpen = entry && listExceptions({ entries: { [key]: entry } }, services.now()).length > 0;
  if (!isOpen) return opened.modal.showProblem(NOT_THERE);
  const proposal = await services.engine.propose([endException(entry)], opened);
  await showPlan(opened, proposal, services);
}

const EMPTY =
  '*The policy is empty*: nothing is approved yet, and nothing is governed. `review` drafts one from what is set.';

export function buildPolicyMessage(policy: Policy, { now, role }: { now: number; role: Role }): Content {
  const entries = Object.values(policy.entries);
  if (entries.length === 0) {
    return toContent([buildSection(EMPTY), ...buildCommands([['Import…', 'policy import']], role)]);
  }
  const endings = listExceptions(policy, now).length;
  const agents = entries.filter(({ target }) => 'agentId' in target).length;
  const channels = entries.filter(({ target }) => 'channel' in target).length;
  const counts = [
    formatCount(entries.length, 'entry', 'entries'),
    ...(agents > 0 ? [`${formatCredits(agents)} about agents`] : []),
    ...(channels > 0 ? [`${formatCredits(channels)} about channels`] : []),
    ...(endings > 0 ? [formatCount(endings, 'exception')] : []),
  ].join(' · ');
  const last = findLast(policy);
  const lines = [
    `*Policy ${policy.revision}* · ${counts}`,
    ...describeClasses(policy, now),
    ...(last ? [`Last changed ${describeWhy(last)}`] : []),
  ];
  const buttons = [
    ['Export', 'policy export'],
    ['Import…', 'policy import'],
    ['Ending', 'policy ending'],
  ] as const;
  return toContent(fitBlocks([...buildLines(lines), ...buildCommands(buttons, role)]));
}

function describeClasses(policy: Policy, now: number): string[] {
  const ofEnvironments = Object.values(policy.entries).filter(({ setting }) => setting === 'class');
  const names = ofEnvironments.map(({ target }) => readEntry(policy, 'class', target, now)?.value ?? '');
  return listClasses(policy).map((className) => {
    const environments = names.filter((name) => isSameId(name, className)).length;
    const standard = readEntry(policy, 'standard', { className }, now)?.value;
    const words = standard ? toMrkdwnLine(describeValue('standard', standard), 500) : 'nothing';
    return `*${toMrkdwnName(className, 60)}*, ${formatCount(environments, 'environment')}: ${words}`;
  });
}

/** The latest decision that still stands. */
function findLast({ entries }: Policy): Why | undefined {
  const whys = Object.values(entries).flatMap(({ standing, exception }) =>
    [standing?.why, exception?.why].filter((why) => why !== undefined),
  );
  return whys.reduce<Why | undefined>((last, why) => (last && last.at >= why.at ? last : why), undefined);
}

/** Auditors get only the buttons that change nothing. */
function buildCommands(buttons: readonly (readonly [label: string, command: string])[], role: Role): ActionsBlock[] {
  const fitting = buttons.filter(([, command]) => role === 'admin' || command !== 'policy import');
  return buildActions(fitting.map(([label, command], nth) => buildCommandButton(label, command, nth)));
}

/** More would not fit into one message. */
const MAX_SHOWN = 25;

type Excepted = Entry & { exception: NonNullable<Entry['exception']> };

/** Exceptions that are not over, the first to end first. */
function listExceptions({ entries }: Pick<Policy, 'entries'>, now: number): Excepted[] {
  const open = Object.values(entries).filter(
    (entry): entry is Excepted => entry.exception !== undefined && !isOver(entry.exception.until, now),
  );
  return open.toSorted((one, other) => (one.exception.until < other.exception.until ? -1 : 1));
}

/** `canEnd`: false for an auditor. */
export function buildEnding(
  policy: Policy,
  name: NameTarget,
  { now, canEnd }: { now: number; canEnd: boolean },
): Content {
  const exceptions = listExceptions(policy, now);
  if (exceptions.length === 0) return buildAdminText('No exception holds at the moment.');
  const text = `*${formatCount(exceptions.length, 'exception')}* of policy ${policy.revision}, the first to end first`;
  const more = exceptions.length - MAX_SHOWN;
  const blocks = [
    buildSection(text),
    ...exceptions.slice(0, MAX_SHOWN).map((entry) => buildException(entry, name, canEnd)),
    ...(more > 0 ? [buildNotes([`And ${more} more: \`policy export\` has all of them.`])] : []),
  ];
  return toContent(fitBlocks(blocks));
}

function buildException(
  { setting, target, standing, exception }: Excepted,
  name: NameTarget,
  canEnd: boolean,
): SectionBlock {
  const words = (value: typeof exception.value) => toMrkdwnLine(describeValue(setting, value), 200);
  const instead = standing ? `, then ${words(standing.value)}` : '';
  const section = buildSection(
    `${OPERATIONS[setting].noun} of ${name(target)}: *${words(exception.value)}* through ${formatDay(exception.until)}${instead}\n${describeWhy(exception.why)}`,
  );
  const key = toEntryKey(setting, target);
  if (!canEnd || key.length > MAX_BUTTON_VALUE_LENGTH) return section;
  return { ...section, accessory: buildButton(END_ACTION, 'End now', key) };
}
