// What a button of a report is about: the finding as it was reviewed, and the register as it is now.

import type { OverlayRecord } from '../register/overlay.ts';
import type { RegisterDefaults } from '../register/register.ts';
import { type Approved, type ApprovedSources, type ReadyRegister, readApproved } from './approved-state.ts';
import type { Problem } from './decisions.ts';
import type { Finding, ReviewedFinding } from './finding.ts';
import type { ReportHead, ReportPage, Reports } from './report.ts';
import type { ReviewPlace } from './review-buttons.ts';
import { listFindings } from './review-summary.ts';

/** A decision about a finding of a review, which nobody has recorded yet. */
export type PlannedDecision = {
  kind: 'decision';
  /** As it is to be, but for who approves it and when. */
  record: OverlayRecord;
  /** As it was reviewed. */
  finding: Finding;
  /** Of an agent's environment, where it is known; untrusted. */
  environmentName?: string | undefined;
  /** What a classification approves. */
  defaults?: RegisterDefaults | undefined;
};

export type Reviewed = { head: ReportHead; page: ReportPage; approved: ReadyRegister };

export type FindingPorts = ApprovedSources & { reports: Reports };

const EXPIRED = 'This report is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

const REGISTER_PROBLEMS: Record<Exclude<Approved['kind'], 'ready'>, string> = {
  none: 'There is no register any more, so nothing says what is approved. Whoever runs this app names its file with `GOVERNANCE_REGISTER`.',
  unreadable_file:
    'The file of the register cannot be read, so nothing says what is approved. Whoever runs this app finds the reason in its log.',
  problems:
    'Something is wrong with the register by now, so nothing was done. `/assistant-admin review` says what to correct in it.',
};

const REGISTER_CHANGED =
  "The register's file was changed since this review, so nothing was decided. Give the command again: `/assistant-admin review`.";

/** The register with its overlay as it is now. */
export async function readReady(ports: ApprovedSources): Promise<ReadyRegister | Problem> {
  const approved = await readApproved(ports);
  return approved.kind === 'ready' ? approved : { problem: REGISTER_PROBLEMS[approved.kind] };
}

/** A page of the report beside the register as it is now, which may be another than it was reviewed against. */
async function readReviewed(
  { report, page }: Pick<ReviewPlace, 'report' | 'page'>,
  ports: FindingPorts,
): Promise<Reviewed | Problem> {
  const [found, approved] = await Promise.all([ports.reports.read(report, page), readReady(ports)]);
  if (found === undefined) return { problem: EXPIRED };
  return 'problem' in approved ? approved : { ...found, approved };
}

export async function readFinding(
  place: ReviewPlace,
  ports: FindingPorts,
): Promise<(Reviewed & ReviewedFinding) | Problem> {
  const reviewed = await readReviewed(place, ports);
  if ('problem' in reviewed) return reviewed;
  const found = listReviewed(reviewed.page).find(({ finding }) => finding.key === place.key);
  return found ? { ...reviewed, ...found } : { problem: EXPIRED };
}

/** As readFinding, for a decision: the register's file must be the one that was reviewed against. */
export async function readDecidable(
  place: ReviewPlace,
  ports: FindingPorts,
): Promise<(Reviewed & ReviewedFinding) | Problem> {
  return orChanged(await readFinding(place, ports));
}

/** The same for decisions about many findings: the report, where it is of the register's file as it is now. */
export async function readDecidableReport(
  place: Pick<ReviewPlace, 'report' | 'page'>,
  ports: FindingPorts,
): Promise<Reviewed | Problem> {
  return orChanged(await readReviewed(place, ports));
}

function orChanged<Some extends Reviewed>(found: Some | Problem): Some | Problem {
  if ('problem' in found) return found;
  return found.head.registerHash === found.approved.registerHash ? found : { problem: REGISTER_CHANGED };
}

function listReviewed(page: ReportPage): ReviewedFinding[] {
  const names = new Map(page.environments.map(({ environment }) => [environment.environmentId, environment.name]));
  return [...listFindings(page)].map((finding) => {
    return { finding, environmentName: finding.kind === 'agent' ? names.get(finding.environmentId) : undefined };
  });
}
