// The findings of a review as a file: one row for each setting that differs.
import { buildSheet, type Column, type Sheet } from '../exports/sheet.ts';
import { OPERATIONS } from '../operations/operations.ts';
import type { Finding } from './finding.ts';
import { type Change, describeUnknown, listChanges, readSubject } from './finding-words.ts';
import type { KeptReview } from './kept-review.ts';
import type { ReviewHead } from './review.ts';

type Row = { finding: Finding; change: Partial<Change> };

/** The names of columns are for programs: never rename. */
const COLUMNS: readonly Column<Row>[] = [
  { name: 'finding', read: ({ finding }) => finding.group },
  { name: 'environment', read: ({ finding }) => readPlace(finding).environment },
  { name: 'environment_id', read: ({ finding }) => readIds(finding).environmentId },
  { name: 'agent', read: ({ finding }) => readPlace(finding).agent },
  { name: 'agent_id', read: ({ finding }) => readIds(finding).agentId },
  { name: 'setting', read: ({ change }) => change.setting },
  { name: 'currency', read: ({ change }) => change.currency },
  { name: 'approved', read: ({ change }) => change.approved },
  { name: 'found', read: ({ change }) => change.found },
  { name: 'until', read: ({ finding }) => (finding.group === 'ending' ? finding.until : undefined) },
  { name: 'owner_id', read: ({ finding }) => (finding.group === 'new' ? finding.ownerId : undefined) },
];

/** Names in it are as their makers gave them. */
export function buildFindingSheet({ review, findings }: { review: KeptReview; findings: readonly Finding[] }): Sheet {
  const { head } = review;
  const rows = findings.flatMap((finding) => listRows(finding).map((change) => ({ finding, change })));
  return buildSheet({ list: 'review', asOf: head.at, gaps: listGaps(head) }, COLUMNS, rows);
}

/** In mrkdwn. */
function listGaps({ isPart, unreadable }: ReviewHead): string[] {
  return [
    ...(isPart ? ['The service did not list everything.'] : []),
    ...(unreadable.count > 0 ? ['Some environments could not be read.'] : []),
  ];
}

function listRows(finding: Finding): Partial<Change>[] {
  switch (finding.group) {
    case 'new':
      return [
        { setting: 'class', found: 'none' },
        { setting: 'draws on the tenant pool', found: String(finding.pool) },
      ];
    case 'ending': {
      const { setting, exception } = finding.entry;
      const { noun, describe } = OPERATIONS[setting];
      return [{ setting: noun, approved: exception && describe(exception.value as never) }];
    }
    case 'unknown':
      return [{ setting: 'limit', found: describeUnknown(finding) }];
    default:
      return listChanges(finding.item).map((change) => ({ ...change, setting: change.setting || 'state' }));
  }
}

function readPlace(finding: Finding): { environment?: string | undefined; agent?: string } {
  const { name, where } = readSubject(finding);
  return where === undefined ? { environment: name } : { environment: where, agent: name };
}

function readIds(finding: Finding): { environmentId?: string; agentId?: string } {
  if (finding.group === 'ending') return 'environmentId' in finding.entry.target ? finding.entry.target : {};
  if (finding.group === 'new') return { environmentId: finding.environmentId };
  if (!('item' in finding)) return finding.agent;
  const { item } = finding;
  return item.resource === 'credits' ? { environmentId: item.environmentId } : item.agent;
}
