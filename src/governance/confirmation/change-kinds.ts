// The kinds of changes that are confirmed, approved and carried out here.
import { ALLOCATION_KIND } from '../allocations/allocation-kind.ts';
import type { ChangeKind, PlannedChange } from '../changes/change-kind.ts';
import { LIMIT_KIND } from '../limits/limit-kind.ts';
import { STOP_KIND } from '../limits/stop-kind.ts';

export const CHANGE_KINDS: Record<PlannedChange['kind'], ChangeKind> = {
  limit: LIMIT_KIND,
  stop: STOP_KIND,
  allocation: ALLOCATION_KIND,
};

export function kindOf({ kind }: Pick<PlannedChange, 'kind'>): ChangeKind {
  return CHANGE_KINDS[kind];
}

/** As in *the limit of X in Y was not changed*: mrkdwn. */
export function describeChanged(change: PlannedChange): string {
  return kindOf(change).describe(change);
}
