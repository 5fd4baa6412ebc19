// Findings as a sheet: a row for each difference, and one for each finding without any.
import { buildSheet, type Column, type Sheet, toTime } from '../exports/sheet.ts';
import type { Difference, Finding } from './finding.ts';
import { isInOrder, type ReportHead, type Reports } from './report.ts';
import { listFindings, type Review } from './review-summary.ts';

type Row = { finding: Finding; environmentName: string | undefined; difference: Difference | undefined };

type Reviewed = Pick<Review, 'at' | 'gaps' | 'summary'>;

/** Of the whole review, what is in order included. */
export function buildReviewSheet(review: Review): Sheet {
  return toSheet(review, [], listFindings(review));
}

/** Of a report that is kept: what is not in order. Undefined where it has expired. */
export async function readReportSheet(
  id: string,
  reports: Pick<Reports, 'read' | 'readHead'>,
): Promise<Sheet | undefined> {
  const head = await reports.readHead(id);
  if (head === undefined) return undefined;
  // An environment with many agents is on several pages.
  const findings = new Map<string, Finding>();
  for (let number = 0; number < head.pageCount; number += 1) {
    const found = await reports.read(id, number);
    if (found === undefined) return undefined;
    for (const finding of listFindings(found.page)) findings.set(finding.key, finding);
  }
  return toSheet(head, listLeftOut(head), findings.values(), (finding) => !isInOrder(finding));
}

function listLeftOut({ cut, covered, told }: ReportHead): string[] {
  return [
    ...(cut > 0 ? ['findings_left_out'] : []),
    ...(covered > 0 ? ['agents_of_new_or_vanished_environments_left_out'] : []),
    ...told.map((reason) => `unreadable_left_out:${reason}`),
  ];
}

/** `isListed`: an environment that is in order only gives its agents its name. */
function toSheet(
  reviewed: Reviewed,
  leftOut: string[],
  findings: Iterable<Finding>,
  isListed: (finding: Finding) => boolean = () => true,
): Sheet {
  const { at, gaps, summary } = reviewed;
  const all = [...findings];
  const names = new Map(all.flatMap((one) => (one.kind === 'environment' ? [[one.environmentId, one.name]] : [])));
  const rows = all.filter(isListed).flatMap((finding): Row[] => {
    const environmentName = names.get(finding.environmentId);
    const { differences } = finding;
    if (differences.length === 0) return [{ finding, environmentName, difference: undefined }];
    return differences.map((difference) => ({ finding, environmentName, difference }));
  });
  const missing = [
    ...(gaps.environments === undefined ? [] : [`environments:${gaps.environments}`]),
    ...(gaps.agents === undefined ? [] : [`agents:${gaps.agents}`]),
    ...Object.keys(summary.unreadable).map((reason) => `unreadable:${reason}`),
    ...leftOut,
  ];
  return buildSheet({ list: 'review', asOf: at, gaps: missing }, COLUMNS, rows);
}

const COLUMNS: Column<Row>[] = [
  { name: 'kind', read: ({ finding }) => finding.kind },
  { name: 'status', read: ({ finding }) => finding.status },
  { name: 'environment_id', read: ({ finding }) => finding.environmentId },
  { name: 'environment_name', read: ({ environmentName }) => environmentName },
  { name: 'agent_resource_id', read: ({ finding }) => readAgent(finding)?.agentResourceId },
  { name: 'agent_name', read: ({ finding }) => readAgent(finding)?.name },
  { name: 'classification', read: ({ finding }) => readClassification(finding) },
  { name: 'owner_id', read: ({ finding }) => finding.ownerId },
  { name: 'owners', read: ({ finding }) => finding.owners.join(' ') },
  { name: 'unreadable_because', read: ({ finding }) => finding.reason },
  { name: 'setting', read: ({ difference }) => difference?.setting },
  { name: 'currency', read: ({ difference }) => difference?.currency },
  { name: 'approved', read: ({ difference }) => difference && String(difference.approved) },
  { name: 'found', read: ({ difference }) => difference && String(difference.found) },
  { name: 'way', read: ({ difference }) => difference?.way },
  { name: 'accepted_until', read: ({ difference }) => difference?.exception?.expiresOn },
  { name: 'accepted_by', read: ({ difference }) => difference?.exception?.approver },
  { name: 'accepted_because', read: ({ difference }) => difference?.exception?.reason },
  { name: 'limit_source', read: ({ finding }) => readAgent(finding)?.limitSource },
  { name: 'limit_set_at', read: ({ finding }) => toTime(readAgent(finding)?.limitSetAt) },
  { name: 'limit_counts_until', read: ({ finding }) => toTime(readAgent(finding)?.limitStaleAt) },
];

function readAgent(finding: Finding) {
  return finding.kind === 'agent' ? finding : undefined;
}

function readClassification(finding: Finding) {
  return finding.kind === 'environment' ? finding.classification : undefined;
}
