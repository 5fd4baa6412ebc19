// What the items of a bulk change are, by what becomes of them.
import type { CandidateKind } from '../review/bulk-candidates.ts';

/** Of a review's findings, and of agents that are all given one limit. */
export type ItemKind = CandidateKind | 'first' | 'lowered' | 'raised' | 'as_high' | 'untold';

/** `what` begins with what is there now. With their count, at most 75 characters: the text of an option. */
export const ITEM_WORDS: Record<ItemKind, { one: string; what: string }> = {
  first_limit: { one: 'agent', what: 'without a limit: set the approved one' },
  limit: { one: 'agent', what: 'with another limit than approved: set it back' },
  allocation: { one: 'environment', what: 'with other credits or rules: set them back' },
  untold_limit: { one: 'agent', what: 'with an unknown limit: set the approved one' },
  first: { one: 'agent', what: 'without a limit: get their first one' },
  lowered: { one: 'agent', what: 'with a higher limit: it is lowered' },
  raised: { one: 'agent', what: 'with a lower limit: it is raised' },
  as_high: { one: 'agent', what: 'with as high a limit: the rest of it is set' },
  untold: { one: 'agent', what: 'with an unknown limit: it is set, whatever it is' },
};
