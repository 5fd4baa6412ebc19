// The findings of a review as a file: one row for each setting that differs.
import { buildSheet, type Column, type Sheet } from '../exports/sheet.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { type ItemChange, listItemChanges } from '../run/item-words.ts';
import { formatCount } from '../shell/numbers.ts';
import { type Finding, GROUPS, toTarget } from './finding.ts';
import type { FoundReview } from './kept-review.ts';
import { describeNotLooked, describeUnknown, readSubject } from './review-words.ts';

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
export function buildFindingSheet({ review, findings }: FoundReview): Sheet {
  const { head } = review;
  const rows = findings.flatMap((finding) => listRows(finding).map((change) => ({ finding, change })));
  const gaps = [...describeNotLooked(head), ...describeCut({ review, findings })];
  return buildSheet({ list: 'review', asOf: head.at, gaps }, COLUMNS, rows);
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
