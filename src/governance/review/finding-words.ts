// Findings in words, for messages and files. Names are escaped.
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { LIMIT } from '../operations/limit.ts';
import { describeValue } from '../operations/operations.ts';
import type { Item } from '../plan/plan.ts';
import type { SeenAgent } from '../plan/seen.ts';
import { listItemChanges, MAX_NAME_LENGTH, nameItem } from '../run/item-words.ts';
import { formatCredits } from '../shell/whole-number.ts';
import type { EndingException, Finding, NewEnvironment, UnknownLimit } from './finding.ts';

/** One setting that differs. `currency`: undefined for the agents' own. Plain text. */
export type Change = { setting: string; currency?: string | undefined; approved: string; found: string };

/** 1 agent, 2 agents. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatCredits(count)} ${count === 1 ? one : many}`;
}

/** One line of mrkdwn: what it is about, and what differs. `owner`: mrkdwn. */
export function describeFinding(finding: Finding, owner?: string): string {
  const name = describeSubject(finding);
  switch (finding.group) {
    case 'new':
      return `${name}: ${describeNew(finding, owner)}`;
    case 'unknown':
      return `${name}: ${describeUnknown(finding)}`;
    case 'ending':
      return `${name}: ${describeEnding(finding)}`;
    default:
      return `${name}: ${describeChanges(finding.item)}`;
  }
}

/** *Name* in environment. */
function describeSubject(finding: Finding): string {
  const { name, where } = readSubject(finding);
  const bold = `*${toMrkdwnName(name, MAX_NAME_LENGTH) || 'without a name'}*`;
  return where === undefined ? bold : `${bold} in ${toMrkdwnName(where, MAX_NAME_LENGTH)}`;
}

/** Plain and untrusted. */
export function readSubject(finding: Finding): { name: string; where?: string | undefined } {
  if (finding.group === 'new') return { name: finding.name };
  if (finding.group === 'ending') return { name: finding.name, where: finding.where };
  return 'item' in finding ? nameItem(finding.item) : nameAgent(finding.agent);
}

function nameAgent({ name, environmentName, environmentId }: SeenAgent) {
  return { name, where: environmentName ?? environmentId };
}

const POOL = new Map<boolean | 'unknown', string>([
  [true, 'draws on the tenant pool'],
  [false, 'does not draw on the tenant pool'],
  ['unknown', 'whether it draws on the tenant pool is unknown'],
]);

function describeNew({ pool, agents, ownerId }: NewEnvironment, owner: string | undefined): string {
  const who = owner ?? (ownerId === undefined ? 'unknown' : toMrkdwnLine(ownerId, 60));
  return `${POOL.get(pool)} · ${formatCount(agents, 'agent')} · owner ${who}`;
}

export function describeUnknown(finding: UnknownLimit): string {
  if (finding.why === 'maybe_stopped') return 'limit unknown, and whether it is stopped';
  const { stopped, limit } = finding.item.after;
  return `limit unknown; approved: ${stopped ? 'stopped' : LIMIT.describe(limit)}`;
}

function describeEnding({ entry, until }: EndingException): string {
  const { exception } = entry;
  const value = exception === undefined ? '' : describeValue(entry.setting, exception.value as never);
  const why = exception === undefined ? '' : ` · “${toMrkdwnName(exception.why.reason, 100)}”`;
  return `${toMrkdwnLine(value, 300)} until ${until}${why}`;
}

function describeChanges(item: Item): string {
  return listChanges(item)
    .map(({ setting, currency, approved, found }) => {
      const of = currency === undefined ? '' : ` (${toMrkdwnName(currency, 40)})`;
      return `${setting}${of} ${approved} → ${found}`.trim();
    })
    .join(' · ');
}

/** What was approved, and what was found: what sets it back, the other way round. */
export function listChanges(item: Item): Change[] {
  return listItemChanges(item).map(({ label: setting, currency, old: found, next: approved }) => ({
    ...{ setting, currency, approved, found },
  }));
}
