// The form of a limit: what an admin typed, made a limit, or one sentence for each field that cannot be.
import type { StopDecision, WantedLimit } from './inventory/agent-limit.ts';
import { MAX_WHOLE_NUMBER, type NotWhole, readWholeNumber } from './shell/values.ts';

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

export const MAX_LIMIT = MAX_WHOLE_NUMBER;

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

const SENTENCES: Record<NotWhole, string> = {
  empty: 'Enter a monthly limit in credits, for example 1000.',
  negative: 'A limit cannot be negative. Enter 0 or more.',
  not_whole: 'Enter a whole number without a fraction, for example 1000 or 1,000.',
  not_digits: 'Enter digits only, for example 1000 or 1,000.',
  too_large: 'This is too large: the highest limit is 2,147,483,647.',
};

/** A whole number of credits, or the sentence that says why not. */
export function parseCredits(typed: string): number | string {
  const credits = readWholeNumber(typed);
  return typeof credits === 'number' ? credits : SENTENCES[credits];
}

function parsePercent(typed: string): number | string {
  const text = typed.trim().replace(/\s*%$/, '');
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return percent >= 1 && percent <= 100 ? percent : 'Enter a whole percentage from 1 to 100, for example 80.';
}
