// The corrections of a page, from the confirmation to the message about how they ended.
import type { AdminSession } from '../../../../admin-api/admin-session.ts';
import { LockBusyError } from '../../../../errors.ts';
import { type CarryOutPorts, carryOut } from '../../../../governance/confirmation/confirmed-change.ts';
import type { Caller } from '../../../../governance/is-admin.ts';
import type { PlannedCorrection, PlannedPage } from '../../../../governance/review-actions/correct-page-views.ts';
import type { Submitted } from '../../../../governance/review-actions/review-action.ts';
import { buildReviewNotice, CORRECT_PAGE_TOPIC } from '../../../../governance/review-actions/review-action-views.ts';
import type { Allowance } from '../../../../governance/shell/allowance.ts';
import { type FailurePorts, toFailureMessage } from '../../../../governance/shell/failure-message.ts';
import type { KeepPorts } from '../../../../governance/shell/modal-state.ts';
import {
  buildCorrected,
  buildCorrecting,
  buildInHand,
  type CorrectionEnd,
  type CorrectionProgress,
} from '../../../views/admin/review-action/progress.ts';

export type PageApplyPorts = CarryOutPorts & FailurePorts & KeepPorts & { allowance: Allowance };

/** As long as the plan of one change: whoever comes back later looks anew. */
const KEPT_MS = 12 * 60 * 60 * 1000;

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Press the button of the report again.';

/** `id`: of the confirmation. Throws StoreUnavailableError. */
export async function keepPage(id: string, page: PlannedPage, { approvals, now }: KeepPorts): Promise<void> {
  await approvals.put(toKey(id), JSON.stringify(page), now() + KEPT_MS);
}

/**
 * One after the other, each once: a second confirmation waits for the first to end, and then finds all of them done; or it
 * hears that they are in hand. `chosen`: change ids. Throws where none was begun.
 */
export async function carryOutPage(
  submitted: Submitted,
  { chosen, reason }: { chosen: readonly string[]; reason: string },
  ports: PageApplyPorts,
): Promise<void> {
  const { state, modal } = submitted;
  const kept = await ports.approvals.peek(toKey(state.id));
  if (kept === undefined) return modal.showProblem(OUT_OF_DATE);
  const { planned, leftOut } = JSON.parse(kept) as PlannedPage;
  const corrections = planned.filter(({ changeId }) => chosen.includes(changeId));
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
    // It is logged there; what it says is of a change that stands by itself.
    toFailureMessage(error, ports);
  }
  const content = buildCorrected(progress, isBrokenOff);
  const isRepeated = !isBrokenOff && [...ends.values()].every(({ kind }) => kind === 'repeated');
  if (!isRepeated) await say(content);
  await modal.show(buildReviewNotice(content.blocks, CORRECT_PAGE_TOPIC));
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
    // Somebody else changes the same thing, which holds up nothing but this one.
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
  return `correct-page:${id}`;
}
