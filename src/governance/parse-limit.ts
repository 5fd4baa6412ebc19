// The form of a limit: what an admin typed, made a limit, or one sentence for each field that cannot be.
import type { StopDecision, WantedLimit } from './limit.ts';

/** As typed and ticked. */
export type LimitForm = {
  limit: string;
  notify: boolean;
  notificationThreshold: string;
  stopWhenReached: boolean;
  stopDecision: StopDecision | undefined;
};

export type LimitFormErrors = Partial<Record<'limit' | 'notificationThreshold' | 'stopDecision', string>>;

export type ParsedLimitForm =
  | { ok: true; wanted: WantedLimit; stopDecision: StopDecision | undefined }
  | { ok: false; errors: LimitFormErrors };

/** The contract names no bound; deployments of this shape keep the limit in 32 bits. */
export const MAX_LIMIT = 2_147_483_647;

/** `asksForStopDecision`: the form had that field, so an answer is needed. */
export function parseLimitForm(
  form: LimitForm,
  { asksForStopDecision }: { asksForStopDecision: boolean },
): ParsedLimitForm {
  const limit = parseCredits(form.limit);
  const percent = parsePercent(form.notificationThreshold);
  const isUndecided = asksForStopDecision && form.stopDecision === undefined;
  if (typeof limit === 'number' && typeof percent === 'number' && !isUndecided) {
    const { notify, stopWhenReached, stopDecision } = form;
    return { ok: true, wanted: { limit, notify, notificationThreshold: percent, stopWhenReached }, stopDecision };
  }
  return {
    ok: false,
    errors: {
      ...(typeof limit === 'string' ? { limit } : {}),
      ...(typeof percent === 'string' ? { notificationThreshold: percent } : {}),
      ...(isUndecided ? { stopDecision: 'Choose one: nothing here can tell whether this agent is to run.' } : {}),
    },
  };
}

/** Thousands may be set apart by commas or spaces, all alike: 1,000,000 or 1 000 000. A point may mean either. */
const GROUPED = /^\d{1,3}(?:([, \u00a0\u202f])\d{3})(?:\1\d{3})*$/;

/** A whole number of credits, or the sentence that says why not. */
export function parseCredits(typed: string): number | string {
  const text = typed.trim();
  if (text === '') return 'Enter a monthly limit in credits, for example 1000.';
  if (/^[-−–]\s*[\d.,]/.test(text)) return 'A limit cannot be negative. Enter 0 or more.';
  const digits = GROUPED.test(text) ? text.replace(/\D/g, '') : text;
  if (/^\d+$/.test(digits)) {
    const credits = BigInt(digits);
    return credits <= MAX_LIMIT ? Number(credits) : 'This is too large: the highest limit is 2,147,483,647.';
  }
  if (/^\d[\d., ]*$/.test(text)) return 'Enter a whole number without a fraction, for example 1000 or 1,000.';
  return 'Enter digits only, for example 1000 or 1,000.';
}

function parsePercent(typed: string): number | string {
  const text = typed.trim().replace(/\s*%$/, '');
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return percent >= 1 && percent <= 100 ? percent : 'Enter a whole percentage from 1 to 100, for example 80.';
}
