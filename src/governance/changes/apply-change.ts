// Carries out a confirmed plan: record it → read again → write → read back → record how it ended.
import { AdminOutcomeUnknownError } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { WithLock } from '../../with-lock.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import {
  type AppliedOutcome,
  type CarryingOut,
  carryOutOnce,
  type EndedOutcome,
  type FoundValue,
  OVERTAKEN,
} from './carry-out-once.ts';
import type { ChangeRequest } from './change.ts';
import type { ChangeKind, ChangePlan, LookSources } from './change-kind.ts';

/** `session`: of the admin who confirms. */
export type ApplyPorts<Session = AdminSession> = LookSources<Session> & {
  /** One at a time per key, across replicas. */
  exclusively: WithLock;
};

/**
 * Runs once per change id, and one at a time per thing that is changed. Throws only where the store fails before anything
 * was sent, or on a bug; an outcome that could not be recorded is returned all the same, and the next look ends the record.
 */
export function applyChange<
  Plan extends ChangePlan,
  Found extends FoundValue,
  Reason extends string,
  Session extends object,
>(
  kind: ChangeKind<Plan, Found, Reason, Session>,
  plan: Plan,
  request: ChangeRequest,
  ports: ApplyPorts<Session>,
): Promise<AppliedOutcome<Plan['before'], Found, Reason>> {
  return ports.exclusively(kind.toLockKey(plan), async () => {
    const { changes, now } = ports;
    const { changeId, by, account, reason, approvedBy, approverAccount } = request;
    const { team, workspace, user } = by;
    const subject = kind.toSubject(plan);
    const previous = await kind.findLast(plan, changes);
    return carryOutOnce<EndedOutcome<Plan['before'], Found, Reason>>(
      {
        ...{ schema: 1, id: changeId, ...subject, team, workspace, user, account, approvedBy, approverAccount },
        ...{ reason, at: now() },
      },
      ({ note, claimWrite }) =>
        runOnce(kind, plan, {
          ...ports,
          session: noteCalls(ports.session, note),
          claimWrite,
          changeId,
          // Nobody else is at work here: what has not ended broke off.
          brokenOff: previous?.outcome === undefined ? previous?.id : undefined,
        }),
      changes,
    );
  });
}

type Run<Session> = ApplyPorts<Session> &
  Pick<CarryingOut, 'claimWrite'> & { changeId: string; brokenOff: string | undefined };

const READ_BACK_FAILED = { kind: 'applied_not_verified', reason: 'read_back_failed' } as const;

async function runOnce<
  Plan extends ChangePlan,
  Found extends FoundValue,
  Reason extends string,
  Session extends object,
>(
  kind: ChangeKind<Plan, Found, Reason, Session>,
  plan: Plan,
  run: Run<Session>,
): Promise<EndedOutcome<Plan['before'], Found, Reason>> {
  const { changeId, brokenOff } = run;
  const readBack = () => kind.readBack(plan, run, changeId).catch(() => READ_BACK_FAILED);
  try {
    const found = await kind.lookUp(plan, run, changeId);
    // By what is there before our own write: after it, nothing tells any more.
    if (brokenOff !== undefined) await kind.endBrokenOff(brokenOff, found, run).catch(() => undefined);
    if (!kind.isAsPlanned(plan, found)) {
      return { kind: 'conflict', stage: 'before_write', expected: plan.before, found };
    }
    if (!(await run.claimWrite())) return { kind: 'failed', failure: OVERTAKEN };
    await kind.write(plan, found, run.session);
  } catch (error) {
    if (error instanceof AdminOutcomeUnknownError) return toUnanswered(await readBack(), error);
    const failure = toAdminFailure(error);
    if (failure === undefined) throw error;
    return { kind: 'failed', failure };
  }
  return readBack();
}

/** What was read after a write that got no answer settles it, or does not. */
function toUnanswered<Expected, Found, Reason extends string>(
  outcome: EndedOutcome<Expected, Found, Reason>,
  { status }: AdminOutcomeUnknownError,
): EndedOutcome<Expected, Found, Reason> {
  if (outcome.kind === 'conflict') return { ...outcome, stage: 'unanswered' };
  if (outcome.kind === 'verified') return outcome;
  return { kind: 'applied_not_verified', reason: status === undefined ? 'no_answer' : 'error_answer' };
}

/** The same session, with the id of every answer noted. */
function noteCalls<Session extends object>(session: Session, note: CarryingOut['note']): Session {
  const calls = Object.entries(session).map(([name, call]) => [name, (...args: unknown[]) => note(call(...args))]);
  return Object.fromEntries(calls) as Session;
}
