// A reviewed finding, looked at again before its drift is accepted: nobody accepts what is not there any more.
import { isAdminRefusal } from '../../../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../../../admin-api/admin-session.ts';
import type { PlannedDecision } from '../../../../governance/confirmation/pending-change.ts';
import type { ReadyRegister } from '../../../../governance/review/approved-state.ts';
import { areAllThere, findStillThere, readAgain, type StillThere } from '../../../../governance/review/recheck.ts';
import type { ReviewedFinding } from '../../../../governance/review/reviewed-finding.ts';
import { DECIDED_MEANWHILE } from '../../../../governance/review/still-open.ts';
import { toAdminFailure } from '../../../../governance/shell/admin-failure.ts';
import { describeGone } from '../../../views/admin/review-action/gone.ts';
import { type LookPorts, toJudging } from './sources.ts';

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
