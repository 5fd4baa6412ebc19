import { isShownToApprover } from '../../../governance/confirmation/approval-views.ts';
import { fitsIntoSection } from '../../../governance/shell/blocks.ts';
import { MAX_CURRENCIES } from './allocation/confirm.ts';
import type { PlannedChange } from './planned-change.ts';

/** Plain text. */
export const TOO_MUCH_CHANGES =
  'So much would change at once that it cannot be shown whole, and nobody should confirm what they have not seen. Nothing was changed. Change it in parts with `/assistant-admin allocation`, or in the admin console.';

/** Whether all that changes, and all that it would break, is shown where it is confirmed or approved. */
export function isConfirmable(change: PlannedChange): boolean {
  const { kind, plan } = change;
  if (!fitsIntoSection([...new Set(plan.warnings.map(({ text }) => `:warning: ${text}`))])) return false;
  if (!isShownToApprover(change)) return false;
  if (kind === 'limit') return true;
  const changed = plan.rows.filter(({ isChanged }) => isChanged);
  return new Set(changed.map(({ currencyType }) => currencyType)).size <= MAX_CURRENCIES;
}
