// `/assistant-admin policy`: an overview with buttons. `policy ending`: the exceptions by their last day, with *End now*.
import type { ActionsBlock, SectionBlock } from '@slack/types';
import { type Entry, formatDay, isOver, listClasses, type Policy, readEntry, type Why } from '../../policy/policy.ts';
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
import { describeWhy } from '../operations/effective-words.ts';
import { describeValue, OPERATIONS } from '../operations/operations.ts';
import type { NameTarget } from '../run/item-words.ts';
import type { Role } from '../shell/access.ts';
import { buildCommandButton } from '../shell/admin-shell.ts';
import { buildActions, buildLines, buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { formatCount, formatCredits } from '../shell/numbers.ts';

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

/** Written into messages: never rename. */
export const END_ACTION = 'policy_end_exception';

/** More would not fit into one message. */
const MAX_SHOWN = 25;

type Excepted = Entry & { exception: NonNullable<Entry['exception']> };

/** Exceptions that are not over, the first to end first. */
export function listExceptions({ entries }: Pick<Policy, 'entries'>, now: number): Excepted[] {
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
