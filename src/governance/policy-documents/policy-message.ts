// `/assistant-admin policy`: what there is, and what can be done with it.
import type { ActionsBlock } from '@slack/types';
import { buildSection, type Content, fitBlocks, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { describeValue } from '../operations/operations.ts';
import { listClasses, type Policy, readEntry, type Why } from '../policy/policy.ts';
import type { Role } from '../shell/access.ts';
import { buildCommandButton } from '../shell/admin-shell.ts';
import { buildLines } from '../shell/blocks.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { listExceptions } from './ending-message.ts';
import { describeWhy } from './policy-words.ts';

const EMPTY =
  '*The policy is empty*: nothing is approved yet, and nothing is governed. `review` drafts one from what is set.';

export function buildPolicyMessage(policy: Policy, { now, role }: { now: number; role: Role }): Content {
  const entries = Object.values(policy.entries);
  if (entries.length === 0) {
    return { text: EMPTY, blocks: [buildSection(EMPTY), ...buildActions([['Import…', 'policy import']], role)] };
  }
  const endings = listExceptions(policy, now).length;
  const agents = entries.filter(({ target }) => 'agentId' in target).length;
  const channels = entries.filter(({ target }) => 'channel' in target).length;
  const title = `*Policy ${policy.revision}*`;
  const counts = [
    count(entries.length, 'entry', 'entries'),
    ...(agents > 0 ? [`${formatCredits(agents)} about agents`] : []),
    ...(channels > 0 ? [`${formatCredits(channels)} about channels`] : []),
    ...(endings > 0 ? [count(endings, 'exception', 'exceptions')] : []),
  ].join(' · ');
  const last = findLast(policy);
  const lines = [
    `${title} · ${counts}`,
    ...describeClasses(policy, now),
    ...(last ? [`Last changed ${describeWhy(last)}`] : []),
  ];
  const buttons = [
    ['Export', 'policy export'],
    ['Import…', 'policy import'],
    ['Ending', 'policy ending'],
  ] as const;
  return { text: title, blocks: fitBlocks([...buildLines(lines), ...buildActions(buttons, role)]) };
}

function describeClasses(policy: Policy, now: number): string[] {
  const classes = Object.values(policy.entries).filter(({ setting }) => setting === 'class');
  const names = classes.flatMap(({ setting, target }) =>
    setting === 'class' && 'environmentId' in target ? [readEntry(policy, 'class', target, now)?.value] : [],
  );
  return listClasses(policy).map((className) => {
    const environments = names.filter((name) => name?.toLowerCase() === className.toLowerCase()).length;
    const standard = readEntry(policy, 'standard', { className }, now)?.value;
    const words = standard ? toMrkdwnLine(describeValue('standard', standard), 500) : 'nothing';
    return `*${toMrkdwnName(className, 60)}*, ${count(environments, 'environment', 'environments')}: ${words}`;
  });
}

/** The decision that was made last, of those that still stand. */
function findLast({ entries }: Policy): Why | undefined {
  const whys = Object.values(entries).flatMap(({ standing, exception }) =>
    [standing?.why, exception?.why].filter((why) => why !== undefined),
  );
  return whys.reduce<Why | undefined>((last, why) => (last && last.at >= why.at ? last : why), undefined);
}

function count(number: number, one: string, more: string): string {
  return `${formatCredits(number)} ${number === 1 ? one : more}`;
}

/** What changes nothing is for auditors as well. */
function buildActions(buttons: readonly (readonly [label: string, command: string])[], role: Role): ActionsBlock[] {
  const fitting = buttons.filter(([, command]) => role === 'admin' || command !== 'policy import');
  const elements = fitting.flatMap(([label, command], nth) => buildCommandButton(label, command, nth) ?? []);
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}
