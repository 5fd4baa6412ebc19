// What a button of a report is about: the finding as it was reviewed, and the register as it is now.

import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { WithLock } from '../../with-lock.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { PlannedDecision } from '../confirmation/pending-change.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { type Approved, type ApprovedSources, type ReadyRegister, readApproved } from './approved-state.ts';
import type { CorrectionSources } from './correction.ts';
import type { Finding } from './finding.ts';
import { describeReason, type ReviewPlace } from './finding-views.ts';
import type { JudgeOptions } from './judge-environment.ts';
import { areAllThere, DECIDED_MEANWHILE, findStillThere, readAgain, type StillThere } from './recheck.ts';
import type { ReportHead, ReportPage, Reports } from './report.ts';
import { listFindings } from './review-summary.ts';
import { toStandards } from './standards.ts';

/** `environmentName`: of an agent, where the report has it. Untrusted. */
export type ReviewedFinding = { finding: Finding; environmentName: string | undefined };

export type Reviewed = { head: ReportHead; page: ReportPage; approved: ReadyRegister };

type Problem = { problem: string };

export type RegisterPorts = ApprovedSources;

export type FindingPorts = RegisterPorts & { reports: Reports };

const EXPIRED = 'This report is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

const REGISTER_PROBLEMS: Record<Exclude<Approved['kind'], 'ready'>, string> = {
  none: 'There is no register any more, so nothing says what is approved. Whoever runs this app names its file with `GOVERNANCE_REGISTER`.',
  unreadable_file:
    'The file of the register cannot be read, so nothing says what is approved. Whoever runs this app finds the reason in its log.',
  problems:
    'Something is wrong with the register by now, so nothing was done. `/assistant-admin review` says what to mend in it.',
};

const REGISTER_CHANGED =
  "The register's file was changed since this review, so nothing was decided. Give the command again: `/assistant-admin review`.";

/** The register with its overlay as it is now. */
export async function readReady(ports: RegisterPorts): Promise<ReadyRegister | Problem> {
  const approved = await readApproved(ports);
  return approved.kind === 'ready' ? approved : { problem: REGISTER_PROBLEMS[approved.kind] };
}

/** A page of the report beside the register as it is now, which may be another than it was reviewed against. */
export async function readReviewed(
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

/** The same for a decision, which holds beside the file that it was made beside. */
export async function readDecidable(
  place: ReviewPlace,
  ports: FindingPorts,
): Promise<(Reviewed & ReviewedFinding) | Problem> {
  const found = await readFinding(place, ports);
  if ('problem' in found) return found;
  return found.head.registerHash === found.approved.registerHash ? found : { problem: REGISTER_CHANGED };
}

export function listReviewed(page: ReportPage): ReviewedFinding[] {
  const names = new Map(page.environments.map(({ environment }) => [environment.environmentId, environment.name]));
  return [...listFindings(page)].map((finding) => {
    return { finding, environmentName: finding.kind === 'agent' ? names.get(finding.environmentId) : undefined };
  });
}

// A reviewed finding, looked at again before its drift is accepted: nobody accepts what is not there any more.
/** What is still there, beside the register as it is when this is asked. */
type LookedAgain = (approved: ReadyRegister) => StillThere;

const NOT_ALL_THERE =
  'Some of what was to be accepted is not there any more, so nothing was recorded. Review again, and decide from what it says now.';

/**
 * Or the sentence that says why it cannot be read. Throws the refusal `admin_unauthorized`, where a sign-in helps, and
 * StoreUnavailableError.
 */
export async function lookAgain(
  reviewed: ReviewedFinding,
  session: AdminSession,
  ports: LookPorts,
): Promise<LookedAgain | { problem: string }> {
  try {
    return await look(reviewed, session, ports);
  } catch (error) {
    const failure = toAdminFailure(error);
    if (failure === undefined || isAdminRefusal(error, 'admin_unauthorized')) throw error;
    return { problem: `What is there now could not be read, so nothing was accepted. ${failure.sentence}` };
  }
}

/**
 * For an exception that was put to a second admin, who reads in their own name: why it cannot be recorded, or undefined.
 * Other decisions go by no values. Throws the errors of admin-errors.ts, and StoreUnavailableError.
 */
export async function lookAgainFor(
  { record, finding, environmentName }: Pick<PlannedDecision, 'record' | 'finding' | 'environmentName'>,
  session: AdminSession,
  ports: LookPorts,
): Promise<(approved: ReadyRegister) => string | undefined> {
  if (record.kind !== 'exception') return () => undefined;
  const looked = await look({ finding, environmentName }, session, ports);
  return (approved) => {
    const still = looked(approved);
    if (still.kind !== 'open') return describeGone(still, DECIDED_MEANWHILE);
    return areAllThere(record.accepts, still.finding) ? undefined : NOT_ALL_THERE;
  };
}

async function look(
  { finding, environmentName }: ReviewedFinding,
  session: AdminSession,
  ports: LookPorts,
): Promise<LookedAgain> {
  const judge = await readAgain(finding, environmentName, { ...ports, session });
  return (approved) => findStillThere(finding, judge(toJudging(approved, ports)));
}

export type LookPorts = {
  changes: ChangeStore;
  exclusively: WithLock;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
};

/** What a correction is planned from, in the name of one admin: the service and the register, as they are now. */
export function toCorrectionSources(
  session: AdminSession,
  { approved }: Reviewed,
  ports: LookPorts,
): CorrectionSources & { judging: JudgeOptions } {
  const { changes, exclusively, now } = ports;
  return { session, changes, exclusively, now, judging: toJudging(approved, ports) };
}

function toJudging({ register }: ReadyRegister, { currency, now }: LookPorts): JudgeOptions {
  return { standards: toStandards(register), currency, now: now() };
}

// Why drift that a review found cannot be accepted any more, in plain text.
/** `decided`: what is said where others have decided about it. */
export function describeGone(still: Exclude<StillThere, { kind: 'open' }>, decided: string): string {
  switch (still.kind) {
    case 'as_approved':
      return 'This is as approved by now: there is nothing to accept. Review again.';
    case 'moved':
      return 'Something else is there by now than this review found, so nothing was accepted. Review again, and decide from what it says now.';
    case 'unreadable':
      return `What is there now cannot be told, because ${describeReason(still.reason)}, so nothing was accepted. Review again.`;
    case 'decided':
      return decided;
  }
}
