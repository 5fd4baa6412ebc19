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

/** Plain text: what a button of a message says that is too old. */
export const OUT_OF_DATE = 'This review is not kept any more. Give the command again: /assistant-admin review.';

const placeSchema = z.object({
  /** Of the review. */
  id: z.string(),
  page: z.int().min(0).optional(),
  /** One finding, by its place among those that are kept. */
  index: z.int().min(0).optional(),
  /** Findings of groups that follow one another. */
  groups: z.array(z.enum(GROUPS)).optional(),
  /** Of a button that gives a class. */
  className: z.string().optional(),
  /** What is done about limits that are unknown: they are sent, or it is said first that their agents run. */
  way: z.enum(['send', 'run']).optional(),
});

/** What a button is about. */
export type ReviewPlace = z.infer<typeof placeSchema>;

export function encodePlace(place: ReviewPlace): string {
  return JSON.stringify(place);
}

/** Undefined where it is not the value of such a button. */
export function parsePlace(value: string): ReviewPlace | undefined {
  return parseState(placeSchema, value);
}
