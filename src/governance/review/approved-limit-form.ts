import { type LimitForm, type LimitFormErrors, parseLimitForm } from '../parse-limit.ts';
import type { ApprovedLimit } from '../register/register.ts';

/** As typed and ticked; with `isNone` the rest does not count. */
export type ApprovedLimitForm = LimitForm & { isNone: boolean };

export type ParsedApprovedLimit = { ok: true; limit: ApprovedLimit } | { ok: false; errors: LimitFormErrors };

/** The limit that an agent is to have, or one sentence for each field that cannot be. */
export function parseApprovedLimit({ isNone, ...form }: ApprovedLimitForm): ParsedApprovedLimit {
  if (isNone) return { ok: true, limit: { monthlyLimit: 'none' } };
  const parsed = parseLimitForm(form, { asksForStopDecision: false });
  if (!parsed.ok) return parsed;
  const { limit, notify, notificationThreshold, stopWhenReached } = parsed.wanted;
  const alertAt = notify ? notificationThreshold : 'off';
  return { ok: true, limit: { monthlyLimit: limit, alertAt, stopWhenReached: stopWhenReached ? 'on' : 'off' } };
}
