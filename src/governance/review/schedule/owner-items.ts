// What of a review is told to owners: what changed about something of theirs, and that they can do something about.

import type { ConsumptionLevel } from '../../scheduled-review/consumption-levels.ts';
import type { Finding } from '../finding.ts';
import type { Review } from '../review.ts';
import type { ReviewDiff } from '../review-diff.ts';

/** `settled`: what the owner was told of is over, because it is as approved again or was accepted. */
export type FindingItem = {
  kind: 'finding';
  change: 'new' | 'changed' | 'settled';
  finding: Finding;
  environmentName: string | undefined;
  /** Of an agent's environment: who is told where nobody is found whose agent it is. */
  environmentOwners: string[];
};

export type LevelItem = { kind: 'level' } & ConsumptionLevel;

/** One thing for its owners, who are e-mail addresses, ids in the directory or Slack user ids. */
export type OwnerItem = FindingItem | LevelItem;

/**
 * None of the first review: whatever the register lacks would be told to everybody at once, before an admin has seen it.
 */
export function toFindingItems({ isFirst, changes }: ReviewDiff, review: Review): FindingItem[] {
  if (isFirst) return [];
  const environments = new Map(review.environments.map(({ environment }) => [environment.environmentId, environment]));
  return changes.flatMap(({ kind, before, finding }): FindingItem[] => {
    if (finding === undefined || kind === 'gone') return [];
    const change = toChange(kind, before, finding);
    if (change === undefined) return [];
    const environment = finding.kind === 'agent' ? environments.get(finding.environmentId) : undefined;
    const environmentOwners = environment === undefined ? [] : listOwners(environment);
    return [{ kind: 'finding', change, finding, environmentName: environment?.name, environmentOwners }];
  });
}

/** The people that the register names, and the one of the inventory; each once. */
export function listOwners({ owners, ownerId }: Pick<Finding, 'owners' | 'ownerId'>): string[] {
  const all = ownerId === undefined ? owners : [...owners, ownerId];
  return [...new Map(all.map((owner) => [owner.toLowerCase(), owner])).values()];
}

function toChange(
  kind: 'new' | 'changed' | 'resolved',
  before: string | undefined,
  { status }: Finding,
): FindingItem['change'] | undefined {
  const isOver = kind === 'resolved' || status === 'approved_exception';
  if (isOver) return before === 'drift' ? 'settled' : undefined;
  // What could not be read, or is gone, is for admins to find out about.
  return status === 'drift' || status === 'unclassified' ? kind : undefined;
}
