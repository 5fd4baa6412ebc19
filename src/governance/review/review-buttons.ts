// The buttons of a review's message. They are written into messages: never rename.
import { z } from 'zod';
import { parseState } from '../shell/modal-state.ts';
import { GROUPS } from './finding.ts';

export const REVIEW_ACTIONS = {
  page: 'review_page',
  open: 'review_open',
  csv: 'review_csv',
  setBack: 'review_set_back',
  setBackAll: 'review_set_back_all',
  keep: 'review_keep',
  classOne: 'review_class',
  classAll: 'review_class_all',
  setUnknown: 'review_set_unknown',
  endException: 'review_end_exception',
  draft: 'review_draft',
} as const;

/** Plain text, for a button of a message that is too old. */
export const OUT_OF_DATE = 'This review is not kept any more. Give the command again: /assistant-admin review.';

const placeSchema = z.object({
  /** The id of the review. */
  id: z.string(),
  page: z.int().min(0).optional(),
  /** One finding, by its place among those that are kept. */
  index: z.int().min(0).optional(),
  /** All findings of these groups. */
  groups: z.array(z.enum(GROUPS)).optional(),
  /** For a button that gives a class. */
  className: z.string().optional(),
  /** What to do about unknown limits. `send`: send them. `run`: record first that their agents run. */
  way: z.enum(['send', 'run']).optional(),
});

/** The value of a button. */
export type ReviewPlace = z.infer<typeof placeSchema>;

export function encodePlace(place: ReviewPlace): string {
  return JSON.stringify(place);
}

/** Undefined: it is not the value of such a button. */
export function parsePlace(value: string): ReviewPlace | undefined {
  return parseState(placeSchema, value);
}
