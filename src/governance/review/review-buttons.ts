// The buttons of a report. They are in messages that live for years: never rename an id.
import { z } from 'zod';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { parseState } from '../shell/modal-state.ts';

/** What can be done about findings, decisions by the kind of their record. `id`: also that of the button. */
export const REVIEW_TOPICS = {
  correct: {
    id: 'admin_review_correct',
    title: 'Correct drift',
    loading: 'Looking at what is there now…',
  },
  /** Of the whole report: page and key of its place say nothing. */
  correct_all: {
    id: 'admin_review_correct_all',
    title: 'Correct all at once',
    loading: 'Looking up what this review found…',
  },
  exception: {
    id: 'admin_review_accept',
    title: 'Accept drift',
    loading: 'Looking up the finding…',
  },
  classification: {
    id: 'admin_review_classify',
    title: 'Classify environment',
    loading: 'Looking up the environment…',
  },
  /** Of a whole report: the key of its place is empty. */
  classify_many: {
    id: 'admin_review_classify_many',
    title: 'Classify many',
    loading: 'Looking up what is not in the register…',
  },
  /** Of what was classified in Slack: no place of a report. */
  reclassify: {
    id: 'admin_review_reclassify',
    title: 'Change classification',
    loading: 'Looking up the classification…',
  },
  agent_limit: {
    id: 'admin_review_approve_limit',
    title: 'Approve a limit',
    loading: 'Looking up the agent and its limit…',
  },
} as const satisfies Record<string, ModalTopic>;

/** In the confirmation of a correction: to choose what is corrected. */
export const CHOOSE_SETTINGS_ACTION = 'admin_review_correct_choose';

export const PREVIOUS_PAGE_ACTION = 'admin_review_previous';
export const NEXT_PAGE_ACTION = 'admin_review_next';

/** Under the post of a scheduled review: its place has page 0 and no key. */
export const OPEN_REPORT_ACTION = 'admin_review_open';

/** See buildExportButton. */
export const REPORT_EXPORT = 'admin_review';

/** Where a finding is, carried in buttons and modals: the report, its page, and the finding's key. */
export const placeSchema = z.object({ report: z.string(), page: z.int().min(0), key: z.string() });

export type ReviewPlace = z.infer<typeof placeSchema>;

/** Undefined where it does not fit into a button. */
export function encodeReviewPlace({ report, page, key }: ReviewPlace): string | undefined {
  const value = JSON.stringify({ report, page, key });
  return value.length <= MAX_BUTTON_VALUE_LENGTH ? value : undefined;
}

export function parseReviewPlace(value: string): ReviewPlace | undefined {
  return parseState(placeSchema, value);
}
