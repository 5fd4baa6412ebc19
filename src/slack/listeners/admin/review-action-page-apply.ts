// The corrections of a page, from the confirmation to the message about how they ended.
import type { Caller } from '../../../governance/is-admin.ts';
import { buildReviewNotice, CORRECT_PAGE_TOPIC } from '../../views/admin/review-action-modal.ts';
import type { PlannedCorrection, PlannedPage } from '../../views/admin/review-action-page.ts';
import {
  buildCorrected,
  buildCorrecting,
  type CorrectionEnd,
  type CorrectionProgress,
} from '../../views/admin/review-action-progress.ts';
import type { AdminPorts, AdminSession } from './admin-ports.ts';
import { carryOut } from './apply-change.ts';
import { toFailureMessage } from './failure-message.ts';
import type { Submitted } from './review-action-submit.ts';

/** As long as the plan of one change: whoever comes back later looks anew. */
const KEPT_MS = 12 * 60 * 60 * 1000;

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Press the button of the report again.';

/** `id`: of the confirmation. Throws StoreUnavailableError. */
export async function keepPage(id: string, page: PlannedPage, { approvals, now }: AdminPorts): Promise<void> {
  await approvals.put(toKey(id), JSON.stringify(page), now() + KEPT_MS);
}

/**
 * One after the other, each once: a second confirmation waits for the first to end, and then finds all of them done.
 * `chosen`: change ids.
 */
export async function carryOutPage(
  submitted: Submitted,
  { chosen, reason }: { chosen: readonly string[]; reason: string },
  ports: AdminPorts,
): Promise<void> {
  const { state, modal } = submitted;
  const kept = await ports.approvals.peek(toKey(state.id));
  if (kept === undefined) return modal.showProblem(OUT_OF_DATE);
  const { planned, leftOut } = JSON.parse(kept) as PlannedPage;
  const corrections = planned.filter(({ changeId }) => chosen.includes(changeId));
  await ports.exclusively(toKey(state.id), () => correct({ corrections, leftOut, reason }, submitted, ports));
}

type Confirmed = Pick<CorrectionProgress, 'corrections' | 'leftOut'> & { reason: string };

async function correct(
  { corrections, leftOut, reason }: Confirmed,
  { caller, modal, say }: Submitted,
  ports: AdminPorts,
): Promise<void> {
  const ends = new Map<string, CorrectionEnd>();
  const progress = { corrections, ends, leftOut };
  let problem: string | undefined;
  try {
    const session = await ports.openSession(caller);
    for (const { changeId, change } of corrections) {
      await modal.show(buildCorrecting(progress));
      ends.set(changeId, await correctOne({ changeId, change }, { caller, reason, session }, ports));
    }
  } catch (error) {
    const failure = toFailureMessage(error, ports);
    problem = failure.sentence;
    if (failure.needsMessage) await say(failure.content);
  }
  const content = buildCorrected(progress, problem);
  const isRepeated = problem === undefined && [...ends.values()].every(({ kind }) => kind === 'repeated');
  if (!isRepeated) await say(content);
  await modal.show(buildReviewNotice(content.blocks, CORRECT_PAGE_TOPIC));
}

type Correcting = { caller: Caller; reason: string; session: AdminSession };

async function correctOne(
  { changeId, change }: PlannedCorrection,
  { caller, reason, session }: Correcting,
  ports: AdminPorts,
): Promise<CorrectionEnd> {
  const known = await ports.changes.get(changeId);
  if (known !== undefined) return { kind: 'repeated', ended: known.outcome?.kind };
  await ports.allowance.spend('change', caller);
  const { outcome } = await carryOut({ change, request: { changeId, by: caller, reason } }, session, ports);
  return outcome.kind === 'duplicate' ? { kind: 'repeated', ended: undefined } : outcome;
}

function toKey(id: string): string {
  return `correct-page:${id}`;
}
