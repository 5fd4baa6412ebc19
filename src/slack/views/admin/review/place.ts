// Where a finding stands, as it travels in buttons and modals: the report that was kept, its page, and the finding's key.
import { z } from 'zod';
import { MAX_BUTTON_VALUE_LENGTH } from '../../../web/limits.ts';

const placeSchema = z.object({ report: z.string(), page: z.int().min(0), key: z.string() });

export type ReviewPlace = z.infer<typeof placeSchema>;

/** Undefined where it does not fit into a button. */
export function encodeReviewPlace({ report, page, key }: ReviewPlace): string | undefined {
  const value = JSON.stringify({ report, page, key });
  return value.length <= MAX_BUTTON_VALUE_LENGTH ? value : undefined;
}

export function parseReviewPlace(value: string): ReviewPlace | undefined {
  try {
    return placeSchema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}

/** The action ids of what can be done about findings; the value of each is a place. */
export const REVIEW_CORRECT_ACTION = 'admin_review_correct';
export const REVIEW_ACCEPT_ACTION = 'admin_review_accept';
export const REVIEW_CLASSIFY_ACTION = 'admin_review_classify';
export const REVIEW_APPROVE_LIMIT_ACTION = 'admin_review_approve_limit';
/** Of a whole page: the key is empty. */
export const REVIEW_CORRECT_PAGE_ACTION = 'admin_review_correct_page';
