// What was confirmed of a page, carried out one after the other, up to the message about how it ended.

import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { type CarryOutPorts, carryOut } from '../confirmation/slack-confirmed-change.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Allowance } from '../shell/allowance.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { type KeepPorts, readKept } from '../shell/modal-state.ts';
import {
  buildCorrected,
  buildCorrecting,
  buildInHand,
  type CorrectionEnd,
  type CorrectionProgress,
  type PlannedCorrection,
  type PlannedPage,
  type StopAnswer,
} from './correct-page-views.ts';
import type { Submitted } from './review-action.ts';
import { buildReviewNotice } from './review-action-views.ts';

export type PageApplyPorts = CarryOutPorts & FailurePorts & KeepPorts & { allowance: Allowance };

const KEPT_AS = 'correct-page';

/** As long as the plan of a single change. */
const KEPT_MS = 12 * 60 * 60 * 1000;

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Press the button of the report again.';

const MAY_BE_STOPPED = 'you said that it may be stopped. Set it by itself, with the button under it.';

const ALL_MAY_BE_STOPPED =
  'You said that these agents may be stopped, so nothing was changed. Set each by itself, with the button under it.';

/** `id`: of the confirmation. Throws StoreUnavailableError. */
export async function keepPage(id: string, { planned, leftOut }: PlannedPage, { approvals, now }: KeepPorts) {
  const isAsked = ({ mayBeStopped }: PlannedCorrection) => mayBeStopped === true;
  const page: KeptPage = {
    planned: planned.filter((one) => !isAsked(one)),
    mayBeStopped: planned.filter(isAsked),
    leftOut,
  };
  await approvals.put(toKey(id), JSON.stringify(page), now() + KEPT_MS);
}

/** `mayBeStopped` is apart, so that a replica of an earlier release, which does not ask, leaves these alone. */
type KeptPage = PlannedPage & { mayBeStopped?: PlannedCorrection[] };

/**
 * One after the other, each once: a second confirmation waits for the first to end, and then finds all of them done; or it
 * is told that they are in progress. `chosen`: change ids. Throws where none was begun.
 */
export async function carryOutPage(
  submitted: Submitted,
  { chosen, stopped, reason }: { chosen: readonly string[]; stopped?: StopAnswer | undefined; reason: string },
  ports: PageApplyPorts,
): Promise<void> {
  const { state, modal } = submitted;
  const kept = await readKept<KeptPage>(KEPT_AS, state.id, ports);
  if (kept === undefined) return modal.showProblem(OUT_OF_DATE);
  const { planned, mayBeStopped = [] } = kept;
  const isRunning = stopped === 'not_stopped';
  const isChosen = ({ changeId }: PlannedCorrection) => chosen.includes(changeId);
  const corrections = [...planned, ...(isRunning ? mayBeStopped : [])].filter(isChosen);
  if (corrections.length === 0) return modal.showProblem(ALL_MAY_BE_STOPPED);
  const held = isRunning ? [] : mayBeStopped.filter(isChosen);
  const leftOut = [
    ...kept.leftOut,
    ...held.map(({ change }) => ({ name: kindOf(change).name(change), why: MAY_BE_STOPPED })),
  ];
  try {
    await ports.exclusively(toKey(state.id), () => correct({ corrections, leftOut, reason }, submitted, ports));
  } catch (error) {
    if (!(error instanceof LockBusyError)) throw error;
    const ends = await readEnds(corrections, ports);
    await modal.show(buildInHand({ corrections, ends, leftOut }));
  }
}

type Confirmed = Pick<CorrectionProgress, 'corrections' | 'leftOut'> & { reason: string };

async function correct(
  { corrections, leftOut, reason }: Confirmed,
  { caller, openSession, modal, say }: Submitted,
  ports: PageApplyPorts,
): Promise<void> {
  const session = await openSession();
  const before = await readEnds(corrections, ports);
  // For all of them at once: they are one confirmation, which is not to break off in the middle.
  const count = corrections.length - before.size;
  if (count > 0) await ports.allowance.spend('change', caller, count);
  const ends = new Map<string, CorrectionEnd>();
  const progress = { corrections, ends, leftOut };
  let isBrokenOff = false;
  try {
    for (const { changeId, change } of corrections) {
      await modal.show(buildCorrecting(progress));
      ends.set(changeId, await correctOne({ changeId, change }, { caller, reason, session }, ports));
    }
  } catch (error) {
    await noteInFlight(progress, ports);
    if (ends.size === 0) throw error;
    isBrokenOff = true;
    // Only for its log entry: the sentence is about a single change.
    toFailureMessage(error, ports);
  }
  const content = buildCorrected(progress, isBrokenOff);
  const isRepeated = !isBrokenOff && [...ends.values()].every(({ kind }) => kind === 'repeated');
  if (!isRepeated) await say(content);
  await modal.show(buildReviewNotice(content.blocks, REVIEW_TOPICS.correct_page));
}

type Correcting = { caller: Caller; reason: string; session: AdminSession };

async function correctOne(
  { changeId, change }: PlannedCorrection,
  { caller, reason, session }: Correcting,
  ports: PageApplyPorts,
): Promise<CorrectionEnd> {
  const known = await ports.changes.get(changeId);
  if (known !== undefined) return { kind: 'repeated', ended: known.outcome?.kind };
  try {
    const { outcome } = await carryOut({ change, request: { changeId, by: caller, reason } }, session, ports);
    return outcome.kind === 'duplicate' ? { kind: 'repeated', ended: undefined } : outcome;
  } catch (error) {
    if (!(error instanceof LockBusyError)) throw error;
    // Another change of the same subject is running: only this correction is affected.
    const begun = await ports.changes.get(changeId);
    return begun === undefined ? { kind: 'busy' } : { kind: 'repeated', ended: begun.outcome?.kind };
  }
}

/** What stopped the work may have come after this one was begun: its record knows, where it can be read. */
async function noteInFlight({ corrections, ends }: Progress, { changes }: CarryOutPorts): Promise<void> {
  const inFlight = corrections.find(({ changeId }) => !ends.has(changeId));
  if (inFlight === undefined) return;
  const { changeId } = inFlight;
  try {
    const begun = await changes.get(changeId);
    if (begun !== undefined) ends.set(changeId, { kind: 'broke_off', ended: begun.outcome?.kind });
  } catch {
    // Of the first of all, the error itself says more.
    if (ends.size > 0) ends.set(changeId, { kind: 'broke_off', ended: undefined });
  }
}

type Progress = CorrectionProgress & { ends: Map<string, CorrectionEnd> };

/** Of those that were begun by a confirmation before. */
async function readEnds(
  corrections: readonly PlannedCorrection[],
  { changes }: CarryOutPorts,
): Promise<Map<string, CorrectionEnd>> {
  const known = await Promise.all(corrections.map(({ changeId }) => changes.get(changeId)));
  return new Map(
    known.flatMap((change) =>
      change ? [[change.id, { kind: 'repeated', ended: change.outcome?.kind }] as const] : [],
    ),
  );
}

function toKey(id: string): string {
  return `${KEPT_AS}:${id}`;
}
