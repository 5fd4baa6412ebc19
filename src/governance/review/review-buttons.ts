// The buttons of a review's message. They are written into messages: never rename.
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { GROUPS, type Group } from './finding.ts';

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

/** One finding, by its place among those that are kept. `className`: of a button that gives one. */
export type FindingPlace = { id: string; index: number; className?: string | undefined };

/** Findings of groups that follow one another. */
export type GroupPlace = { id: string; groups: Group[]; className?: string | undefined };

export type PagePlace = { id: string; page: number };

export function encodeFinding({ id, index, className }: FindingPlace): string {
  return [id, index, ...(className === undefined ? [] : [className])].join(' ');
}

export function parseFinding(value: string): FindingPlace | undefined {
  const [, id, index, className] = /^(\S+) (\d+)(?: (\S+))?$/.exec(value) ?? [];
  return id === undefined ? undefined : { id, index: Number(index), className };
}

export function encodeGroups({ id, groups, className }: GroupPlace): string {
  return [id, groups.join(','), ...(className === undefined ? [] : [className])]
    .join(' ')
    .slice(0, MAX_BUTTON_VALUE_LENGTH);
}

export function parseGroups(value: string): GroupPlace | undefined {
  const [, id, names = '', className] = /^(\S+) ([a-z,]+)(?: (\S+))?$/.exec(value) ?? [];
  const groups = GROUPS.filter((group) => names.split(',').includes(group));
  return id === undefined || groups.length === 0 ? undefined : { id, groups, className };
}

export function encodePage({ id, page }: PagePlace): string {
  return `${id} ${page}`;
}

export function parsePage(value: string): PagePlace | undefined {
  const [, id, page] = /^(\S+) (\d+)$/.exec(value) ?? [];
  return id === undefined ? undefined : { id, page: Number(page) };
}
