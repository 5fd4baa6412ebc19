// Monthly limits: in words, and as they are typed.
import { type Limit, limitSchema } from '../../policy/values.ts';
import { formatAmount, MAX_AMOUNT, type NotAmount, readAmount } from '../shell/numbers.ts';
import { toPlainWidth } from '../shell/typed-text.ts';

export function describeLimit(limit: Limit): string {
  if (limit === 'none') return 'no limit';
  const notice = limit.noticeAt === 'off' ? 'no notice' : `notice at ${formatAmount(limit.noticeAt)} %`;
  const end = limit.stopAtLimit ? 'stops at the limit' : 'goes on at the limit';
  return [`${formatAmount(limit.credits)} credits`, notice, end].join(' · ');
}

/** What the administrator entered. */
export type TypedLimit = { credits: string; noticeAt: string; stopAtLimit: boolean };

export type ParsedLimit =
  | { limit: Limit; errors?: undefined }
  | { errors: { credits?: string; noticeAt?: string }; limit?: undefined };

/** `none`, or 0 credits without notice and stop, is no limit. No percentage is no notice. Errors are plain text. */
export function parseLimit({ credits: typed, noticeAt: typedNotice, stopAtLimit }: TypedLimit): ParsedLimit {
  const isNone = isTypedNone(typed);
  const credits = isNone ? 0 : parseLimitCredits(typed);
  const noticeAt = parseNotice(typedNotice);
  if (typeof credits === 'number' && noticeAt !== undefined) {
    return { limit: isNone ? 'none' : limitSchema.parse({ credits, noticeAt, stopAtLimit }) };
  }
  return {
    errors: {
      ...(typeof credits === 'string' && { credits }),
      ...(noticeAt === undefined && { noticeAt: NOT_A_PERCENTAGE }),
    },
  };
}

/** Whether the administrator typed `none` or `no limit`. */
export function isTypedNone(typed: string): boolean {
  return /^(?:none|no limit)$/i.test(typed.trim());
}

/** A number of credits, or a sentence that says what is wrong. */
export function parseLimitCredits(typed: string): number | string {
  const credits = readAmount(typed);
  return typeof credits === 'number' ? credits : SENTENCES[credits];
}

const SENTENCES: Record<NotAmount, string> = {
  empty: 'Enter a monthly limit in credits, for example 1000, or none.',
  negative: 'A limit cannot be negative. Enter 0 or more, for example 1000.',
  ambiguous: 'This number is not clear. Enter 1000 or 1,000 for a thousand, or 1.0 for one.',
  not_grouped: 'Use commas or spaces for thousands and a point for decimals, for example 1000, 1,000 or 82.5.',
  not_digits: 'This is not a number. Enter digits only, for example 1000, 1,000 or 82.5.',
  too_large: `This is too large: the highest limit is ${formatAmount(MAX_AMOUNT)}.`,
  too_exact: 'This number has too many digits. Enter at most 15.',
};

const NOT_A_PERCENTAGE = 'Enter a percentage from 0 to 100, for example 80 or 82.5, or leave it empty for no notice.';

/** Undefined: the text is not a percentage. */
function parseNotice(typed: string): number | 'off' | undefined {
  const text = toPlainWidth(typed).trim().replace(/\s*%$/, '');
  if (text === '') return typed.trim() === '' ? 'off' : undefined;
  const percent = readAmount(text);
  return typeof percent === 'number' && percent <= 100 ? percent : undefined;
}
