// Reviews and their findings in words, for messages and files. Names are escaped.
import { describeUntil, formatDay } from '../../policy/policy.ts';
import { formatTime, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { Column, Sheet } from '../exports/sheet.ts';
import { describeNamed } from '../inventory/inventory-views.ts';
import { describeLimit } from '../operations/limit.ts';
import { describeValue, OPERATIONS } from '../operations/operations.ts';
import { describeItemFound, type ItemChange, listItemChanges, nameAgent, nameItem } from '../run/item-words.ts';
import { joinNames } from '../shell/blocks.ts';
import { formatCount, formatCredits } from '../shell/numbers.ts';
import {
  type EndingException,
  type Finding,
  GROUPS,
  type NewEnvironment,
  toTarget,
  type UnknownLimit,
} from './finding.ts';
import type { FoundReview } from './kept-review.ts';
import { countDiffering, countUnknown, isInOrder, type ReviewHead, type Some } from './review.ts';

/** One line of mrkdwn: what it is about, and what differs. `owner`: mrkdwn. */
export function describeFinding(finding: Finding, owner?: string): string {
  const name = describeNamed(readSubject(finding));
  switch (finding.group) {
    case 'new':
      return `${name}: ${describeNew(finding, owner)}`;
    case 'unknown':
      return `${name}: ${describeUnknown(finding)}`;
    case 'ending':
      return `${name}: ${describeEnding(finding)}`;
    default:
      return `${name}: ${describeItemFound(finding.item)}`;
  }
}

/** Plain text, untrusted. */
export function readSubject(finding: Finding): { name: string; where?: string | undefined } {
  if (finding.group === 'new') return { name: finding.name };
  if (finding.group === 'ending') return { name: finding.name, where: finding.where };
  return 'item' in finding ? nameItem(finding.item) : nameAgent(finding.agent);
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

function describeUnknown(finding: UnknownLimit): string {
  if (finding.why === 'maybe_stopped') return 'limit unknown, and whether it is stopped';
  const { stopped, limit } = finding.item.after;
  return `limit unknown; approved: ${stopped ? 'stopped' : describeLimit(limit)}`;
}

function describeEnding({ entry, until }: EndingException): string {
  const { exception } = entry;
  const value = exception === undefined ? '' : describeValue(entry.setting, exception.value as never);
  const why = exception === undefined ? '' : ` · “${toMrkdwnName(exception.why.reason, 100)}”`;
  return `${toMrkdwnLine(value, 300)}${describeUntil(until)}${why}`;
}

// What a review says apart from its rows.

/** *6 of 1,201 differ from policy 42 · 0 unknown* */
export function describeHeadline(head: ReviewHead): string {
  if (head.news) return describeNewsHeadline(head);
  const { compared, policy, words } = head;
  const differing = countDiffering(head);
  const unknown = `${formatCredits(countUnknown(head))} unknown`;
  const of = words === '' ? '' : `*${toMrkdwnName(words, 80)}*: `;
  const isFine = differing === 0 && countUnknown(head) === 0;
  const mark = isInOrder(head) ? ':white_check_mark:' : ':warning:';
  if (compared === 0 && isFine) return `${mark} ${of}the policy says nothing about what is there.`;
  if (isFine) return `${mark} ${of}*All ${describeSame(compared, policy)}* · ${unknown}`;
  const differ = differing === 1 ? 'differs' : 'differ';
  return `${mark} ${of}*${formatCredits(differing)} of ${formatCredits(compared)} ${differ} from policy ${policy}* · ${unknown}`;
}

/** *9 settings are as policy 12 says* */
function describeSame(compared: number, policy: number): string {
  return `${formatCount(compared, 'setting')} ${compared === 1 ? 'is' : 'are'} as policy ${policy} says`;
}

/** The headline of a scheduled review, which lists only what is new. */
function describeNewsHeadline(head: ReviewHead): string {
  const { news, compared, policy } = head;
  const { isFirst = false, differing = 0, unknown = 0, over = NONE } = news ?? {};
  const fresh = countDiffering(head) + head.counts.unknown + head.counts.ending;
  const still = `${formatCredits(differing)} of ${formatCredits(compared)} differ from policy ${policy} · ${formatCredits(unknown)} unknown`;
  if (isFirst && differing + unknown > 0) return `:warning: *First scheduled review*: ${still}`;
  const mark = fresh > 0 ? ':warning: ' : differing + unknown === 0 && !head.isPart ? ':white_check_mark: ' : '';
  if (fresh === 0 && over.count === 0) {
    const state = differing + unknown === 0 ? `all ${describeSame(compared, policy)}` : still;
    return `${mark}*Review*: nothing new; ${state}.`;
  }
  const gone = over.count === 0 ? [] : [`${formatCredits(over.count)} resolved: ${listNames(over)}`];
  const parts = [...(fresh > 0 ? [`*${formatCredits(fresh)} new*`] : []), ...gone, still];
  return `${mark}*Review*: ${parts.join(' · ')}`;
}

const NONE: Some = { count: 0, names: [] };

/** `way`: what the button does, see review-buttons.ts. */
type UnknownLine = { text: string; button?: { text: string; way: 'send' | 'run' } | undefined };

export function describeUnknowns({ unknown, asSent, noAmount }: ReviewHead): UnknownLine[] {
  const { hidden, unreadable, maybe_stopped: maybeStopped } = unknown;
  const sending = hidden + unreadable;
  const why = hidden > 0 ? 'the service shows none' : 'they could not be read';
  const lines: UnknownLine[] = [];
  if (sending > 0) {
    const text = `*${formatCount(sending, 'limit')} unknown*: ${why}.`;
    lines.push({ text, button: { text: `Set ${formatCredits(sending)}…`, way: 'send' } });
  }
  if (maybeStopped > 0) {
    const text = `*${formatCount(maybeStopped, 'limit')} unknown*: the service shows none, nor whether the agents are stopped.`;
    lines.push({ text, button: { text: `They run: set ${formatCredits(maybeStopped)}…`, way: 'run' } });
  }
  if (noAmount.count > 0) {
    lines.push({
      text: `*Credits unknown* of ${listNames(noAmount)}: the service lists none, and the policy names no amount.`,
    });
  }
  if (asSent.count > 0 && asSent.sendAgainBy !== undefined) {
    const sent = asSent.count === 1 ? '1 limit as we sent it' : `${formatCredits(asSent.count)} limits as we sent them`;
    const text = `${sent}; changes made elsewhere are invisible. Send again by ${formatDay(asSent.sendAgainBy)}.`;
    lines.push({ text });
  }
  return lines;
}

/** One line for each reason. Empty if everything was read. */
export function describeNotLooked({ isPart, unreadable }: ReviewHead): string[] {
  return [
    ...(isPart ? ['Not looked at: the service did not list everything, so this is not all.'] : []),
    ...(unreadable.count > 0
      ? [`Not looked at: the credits of ${listNames(unreadable)}, which could not be read.`]
      : []),
  ];
}

/** Small print. */
export function describeFoot(head: ReviewHead, { timeZone, kept }: { timeZone: string; kept: number }): string[] {
  const { at, environments, agents, policy, ungoverned, gone, caps } = head;
  const all = countDiffering(head) + head.counts.ending + head.counts.unknown;
  const looked = `${formatCount(environments, 'environment')}, ${formatCount(agents, 'agent')}`;
  return [
    `As of ${formatTime(at, timeZone)} · ${looked} · policy ${policy}`,
    ...(all > kept ? [`Only the first ${formatCredits(kept)} are listed. Set those back, and review again.`] : []),
    ...(ungoverned > 0 ? [`No limit is approved for ${formatCount(ungoverned, 'agent')}.`] : []),
    ...(gone.count > 0 ? [`In the policy, and not listed by the service any more: ${listNames(gone)}.`] : []),
    ...(caps > 0
      ? [`Questions are capped in ${formatCount(caps, 'place')}: \`/assistant-admin policy effective #channel\`.`]
      : []),
  ];
}

/** Escaped. */
export function listNames({ count, names }: Some): string {
  const bold = names.map((name) => `*${toMrkdwnName(name, 60)}*`);
  return joinNames(bold, MAX_NAMES, count);
}

const MAX_NAMES = 5;

/** `old`: what was found; `next`: what is approved. */
type Row = { finding: Finding; change: Partial<ItemChange> };

/** The names of columns are for programs: never rename. */
const COLUMNS: readonly Column<Row>[] = [
  { name: 'finding', read: ({ finding }) => finding.group },
  { name: 'environment', read: ({ finding }) => readPlace(finding).environment },
  { name: 'environment_id', read: ({ finding }) => readIds(finding).environmentId },
  { name: 'agent', read: ({ finding }) => readPlace(finding).agent },
  { name: 'agent_id', read: ({ finding }) => readIds(finding).agentId },
  { name: 'setting', read: ({ change }) => change.label },
  { name: 'currency', read: ({ change }) => change.currency },
  { name: 'approved', read: ({ change }) => change.next },
  { name: 'found', read: ({ change }) => change.old },
  { name: 'until', read: ({ finding }) => (finding.group === 'ending' ? finding.until : undefined) },
  { name: 'owner_id', read: ({ finding }) => (finding.group === 'new' ? finding.ownerId : undefined) },
];

/** Names in it are untrusted. */
export function buildFindingSheet({ review, findings }: FoundReview): Sheet<Row> {
  const { head } = review;
  const rows = findings.flatMap((finding) => listRows(finding).map((change) => ({ finding, change })));
  const gaps = [...describeNotLooked(head), ...describeCut({ review, findings })];
  return { list: 'review', asOf: head.at, gaps, columns: COLUMNS, rows };
}

/** Of very many findings only the first are kept. `findings`: all of those, or those of a group. */
function describeCut({ review: { head, kept }, findings }: FoundReview): string[] {
  const ofGroup = Map.groupBy(findings, ({ group }) => group);
  const isOfAll =
    findings.length === kept && GROUPS.some((group) => head.counts[group] > (ofGroup.get(group)?.length ?? 0));
  const isCut = isOfAll || [...ofGroup].some(([group, some]) => head.counts[group] > some.length);
  return isCut
    ? [`Only the first ${formatCount(findings.length, 'finding')}: there are more. Set those back, and review again.`]
    : [];
}

function listRows(finding: Finding): Partial<ItemChange>[] {
  switch (finding.group) {
    case 'new':
      return [
        { label: 'class', old: 'none' },
        { label: 'draws on the tenant pool', old: String(finding.pool) },
      ];
    case 'ending': {
      const { setting, exception } = finding.entry;
      const { noun, describe } = OPERATIONS[setting];
      return [{ label: noun, ...(exception && { next: describe(exception.value as never) }) }];
    }
    case 'unknown':
      return [{ label: 'limit', old: describeUnknown(finding) }];
    default:
      return listItemChanges(finding.item).map((change) => ({ ...change, label: change.label || 'state' }));
  }
}

function readPlace(finding: Finding): { environment?: string | undefined; agent?: string } {
  const { name, where } = readSubject(finding);
  return where === undefined ? { environment: name } : { environment: where, agent: name };
}

function readIds(finding: Finding): { environmentId?: string; agentId?: string } {
  const target = toTarget(finding);
  return 'environmentId' in target ? target : {};
}
