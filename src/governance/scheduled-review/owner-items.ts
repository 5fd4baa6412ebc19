// What the owners of an environment or agent are to be told.
import type { Finding } from '../review/finding.ts';
import type { ReviewDiff } from '../review/review-diff.ts';
import type { Review } from '../review/review-summary.ts';

/** `settled`: what the owner was told about is over, because it is as approved again or was accepted. */
export type FindingItem = {
  kind: 'finding';
  change: 'new' | 'changed' | 'settled';
  finding: Finding;
  environmentName: string | undefined;
  /** Of an agent's environment: told if no owner of the agent is found. */
  environmentOwners: string[];
};

/** What an environment has used of its credits, or an agent of its limit. */
export type ConsumptionLevel = {
  /** What has used it. */
  finding: Finding;
  environmentName: string | undefined;
  /** Of an environment: which of its credits. Untrusted. */
  currency: string | undefined;
  /** Percent: the highest configured one that it has reached. */
  level: number;
  /** Those below it, which it includes. */
  lowerLevels: number[];
  consumed: number;
  /** What is allocated, or the monthly limit. */
  capacity: number;
  /** Epoch ms of the figures, where the service tells it. */
  asOf: number | undefined;
  /** Of an agent: whether it stops at its limit; undefined where the service does not tell. */
  stopsWhenReached: boolean | undefined;
};

export type LevelItem = { kind: 'level' } & ConsumptionLevel;

/** One thing for its owners, who are e-mail addresses, ids in the directory or Slack user ids. */
export type OwnerItem = FindingItem | LevelItem;

/** None of the first review: everybody would be told at once what the register lacks, before an admin has seen it. */
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

function toChange(
  kind: 'new' | 'changed' | 'resolved',
  before: string | undefined,
  { status }: Finding,
): FindingItem['change'] | undefined {
  const isOver = kind === 'resolved' || status === 'approved_exception';
  if (isOver) return before === 'drift' ? 'settled' : undefined;
  // What could not be read, or is gone, is for admins to look into.
  return status === 'drift' || status === 'unclassified' ? kind : undefined;
}

/** The owners that the register names, and the one in the inventory; each once. */
export function listOwners({ owners, ownerId }: Pick<Finding, 'owners' | 'ownerId'>): string[] {
  const all = ownerId === undefined ? owners : [...owners, ownerId];
  return [...new Map(all.map((owner) => [owner.toLowerCase(), owner])).values()];
}
