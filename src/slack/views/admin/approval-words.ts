// A plan that waits for a second admin, and what became of it, in words (mrkdwn).
import type { ApprovalState } from '../../../governance/approval/approval-state.ts';
import { listAllocationRows } from './allocation-confirm.ts';
import { describeRow } from './change-confirm.ts';
import { fitLines } from './fit-lines.ts';
import { formatTime } from './limit-words.ts';
import type { PlannedChange } from './planned-change.ts';

/** Old → new and what it would break, a section each. */
export function describePlan(change: PlannedChange): string[] {
  const warnings = new Set(change.plan.warnings.map(({ text }) => `:warning: ${text}`));
  const rows =
    change.kind === 'limit' ? [change.plan.rows.map(describeRow).join('\n')] : listAllocationRows(change.plan);
  return [...rows, ...(warnings.size === 0 ? [] : [fitLines([...warnings])])];
}

/** What is said to whoever presses a button of a request that is over. */
export function describeClosed(state: ApprovalState | undefined, timeZone: string): string {
  switch (state?.kind) {
    case 'approved':
      return `This was approved on ${formatTime(state.at, timeZone)} already. A request is decided once.`;
    case 'rejected':
      return `This was rejected on ${formatTime(state.at, timeZone)} already, and nothing was changed.`;
    case 'withdrawn':
      return 'This request was withdrawn, and nothing was changed. If the change is still wanted, it has to be asked for again.';
    case 'asked':
      return `This request ran out on ${formatTime(state.expiresAt, timeZone)}, and nothing was changed. If the change is still wanted, it has to be asked for again.`;
    case undefined:
      return 'This request is over, and nothing can be decided about it any more. `/assistant-admin audit` shows what was changed.';
  }
}
