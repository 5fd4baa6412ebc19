// What every change has around it, whatever it is of: its record before anything is sent, and how it ended.
import { readRequestId } from '../../admin-api/admin-errors.ts';
import { BridgeError } from '../../errors.ts';
import type { AdminFailure } from '../shell/admin-failure.ts';
import type { Change, ChangeOutcome, ChangeStore } from './change.ts';

/**
 * `before_write`: nothing was written. `after_write`: written, and something else was there at once. `unanswered`:
 * perhaps written, and something else was there.
 */
export type ConflictStage = 'before_write' | 'after_write' | 'unanswered';

/** What is there of what a change is about. 'none': the service knows nothing of it. */
export type FoundValue = Change['before'] | 'none';

/** Why a change of whatever kind may not be verified. */
export type CommonReason =
  | 'read_back_failed'
  | 'still_old' // read back, and it still shows what was there before
  | 'no_answer' // the write got no answer, and reading did not settle it
  | 'error_answer'; // the same, where the answer was an error that does not say whether it was made

const PERHAPS_WRITTEN: ReadonlySet<string> = new Set(['no_answer', 'error_answer'] satisfies CommonReason[]);

/** Whether a change that ended so may not have been written. */
export function isPerhapsWritten(reason: string): boolean {
  return PERHAPS_WRITTEN.has(reason);
}

/** How a change ended. `Reason`: what else may keep a change of this kind from being verified. */
export type AppliedOutcome<Expected = FoundValue, Found = FoundValue, Reason extends string = string> =
  | { kind: 'verified' }
  | {
      kind: 'applied_not_verified';
      reason: Reason | CommonReason;
    }
  | { kind: 'conflict'; stage: ConflictStage; expected: Expected; found: Found }
  /** Nothing was changed. */
  | { kind: 'failed'; failure: AdminFailure }
  /** This confirmation was taken before: it runs, or has run, once. Say nothing twice. */
  | { kind: 'duplicate' };

export type EndedOutcome<Expected = FoundValue, Found = FoundValue, Reason extends string = string> = Exclude<
  AppliedOutcome<Expected, Found, Reason>,
  { kind: 'duplicate' }
>;

export type CarryingOut = Pick<RequestIds, 'note'> & {
  /**
   * To be asked last before the write, which is sent only where this is true. False: the lock of this change ran out
   * while its process stood still, and another has ended its record by what it saw; what was read here is out of date.
   */
  claimWrite(): Promise<boolean>;
};

/** Where the write could not be claimed. */
export const OVERTAKEN: AdminFailure = {
  code: 'overtaken',
  sentence:
    'It took so long that another change was begun meanwhile, so it was not sent. Look at what is set now, and decide from there.',
};

/**
 * Once per change id. What `carryOut` throws is thrown again: before the write it ends the record, since nothing was sent;
 * after it the record stays open, and the next look ends it. An outcome that cannot be recorded is returned all the same.
 */
export async function carryOutOnce<Outcome extends EndedOutcome>(
  change: Change,
  carryOut: (carrying: CarryingOut) => Promise<Outcome>,
  changes: Pick<ChangeStore, 'begin' | 'get' | 'finish'>,
): Promise<Outcome | { kind: 'duplicate' }> {
  if ((await changes.begin(change)) === 'duplicate') return { kind: 'duplicate' };
  const { ids, note } = collectRequestIds();
  let isClaimed = false;
  const end = (outcome: ChangeOutcome) =>
    changes.finish(change.id, { ...outcome, ...(ids.length > 0 && { requestIds: ids }) }).catch(() => undefined);
  const claimWrite = async () => {
    const record = await changes.get(change.id);
    isClaimed = record?.outcome === undefined;
    return isClaimed;
  };
  try {
    const outcome = await carryOut({ note, claimWrite });
    await end(toChangeOutcome(outcome));
    return outcome;
  } catch (error) {
    if (!isClaimed) await end({ kind: 'failed', written: 'no', reason: toReason(error) });
    throw error;
  }
}

/** Whether something of the change was written, or may have been. */
export function mayBeWritten(outcome: AppliedOutcome): boolean {
  return outcome.kind !== 'duplicate' && toChangeOutcome(outcome).written !== 'no';
}

const WRITTEN = { before_write: 'no', after_write: 'yes', unanswered: 'perhaps' } as const;

function toChangeOutcome(outcome: EndedOutcome): ChangeOutcome {
  switch (outcome.kind) {
    case 'verified':
      return { kind: 'verified', written: 'yes' };
    case 'applied_not_verified': {
      const { kind, reason } = outcome;
      return { kind, written: isPerhapsWritten(reason) ? 'perhaps' : 'yes', reason };
    }
    case 'conflict': {
      const { kind, stage, found } = outcome;
      return { kind, written: WRITTEN[stage], reason: stage, found };
    }
    case 'failed':
      return { kind: 'failed', written: 'no', reason: outcome.failure.code };
  }
}

/** A code; anything that has none is a bug. */
function toReason(error: unknown): string {
  return error instanceof BridgeError ? error.code : 'fault';
}

/** The ids that the service gave to requests of one piece of work, in order, for whoever looks for them in its logs. */
type RequestIds = {
  readonly ids: readonly string[];
  /** Waits for the answer, and keeps its id; that of an error, too. */
  note<T>(call: Promise<T>): Promise<T>;
};

function collectRequestIds(): RequestIds {
  const ids: string[] = [];
  const keep = (id: string | undefined) => {
    if (id !== undefined) ids.push(id);
  };
  return {
    ids,
    async note(call) {
      try {
        const answer = await call;
        keep(readRequestId(answer));
        return answer;
      } catch (error) {
        keep(readRequestId(error));
        throw error;
      }
    },
  };
}
