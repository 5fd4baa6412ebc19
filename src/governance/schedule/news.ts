// Finds what is new since the last review, and what is resolved. Stores only what differs, without names of people.
import { createHash } from 'node:crypto';
import { type Target, toTargetKey } from '../../policy/target.ts';
import { type Finding, toFindingKey, toItemKey, toTarget } from '../review/finding.ts';
import { type Reviewed, type Some, toSome } from '../review/review.ts';
import { readSubject } from '../review/review-words.ts';

/** One finding, as it is stored. `name`: untrusted. */
type Noted = { key: string; digest: string; group: Finding['group']; name: string; target: Target };

/** What the next review is compared with. `at`: epoch ms, when it began. */
export type Snapshot = { at: number; policy: number; differing: number; unknown: number; noted: Noted[] };

export type Difference = { isFirst: boolean; fresh: Finding[]; over: Some; noted: Noted[] };

export function findNews(before: Pick<Snapshot, 'noted'> | undefined, reviewed: Reviewed): Difference {
  const known = new Map(before?.noted.map((noted) => [noted.key, noted]));
  const now = reviewed.findings.map((finding) => {
    const noted = toNoted(finding);
    const last = known.get(noted.key);
    // A value that is not shown now stays as it was last seen, so that it is not new again once it is shown.
    return { finding, noted: finding.group === 'unknown' && last ? last : noted };
  });
  const keys = new Set(now.map(({ noted }) => noted.key));
  const fresh = now.filter(({ noted }) => known.get(noted.key)?.digest !== noted.digest);
  const gone = [...known.values()].filter(({ key }) => !keys.has(key));
  const wasLookedAt = createLooks(reviewed);
  const over = gone.filter((noted) => wasLookedAt(noted) && noted.group !== 'ending');
  return {
    isFirst: before === undefined,
    fresh: fresh.map(({ finding }) => finding),
    over: { ...toSome([...new Set(over.map(({ name }) => name))]), count: over.length },
    noted: [...now.map(({ noted }) => noted), ...gone.filter((noted) => !wasLookedAt(noted))],
  };
}

/** Whether the review has read the target of an earlier finding. If not, the finding stays as it was. */
function createLooks({ seen, head, asSent }: Reviewed): (noted: Noted) => boolean {
  const agents = new Map(seen.agents.map((agent) => [toTargetKey(agent), agent]));
  const environments = new Set(seen.environments.map(toTargetKey));
  const sent = new Set(asSent.map(({ agent, currency }) => toItemKey({ ...agent, currency })));
  return ({ key, group, target }) => {
    if (group === 'ending' || !('environmentId' in target)) return true;
    const { currency = '', ...subject } = target;
    if ('agentId' in subject) {
      const agent = agents.get(toTargetKey(subject));
      if (agent === undefined) return !head.isPart;
      return group === 'unknown' || sent.has(key) || typeof seen.threshold(agent, currency) === 'object';
    }
    if (!environments.has(toTargetKey(subject))) return !head.isPart;
    return group === 'new' || typeof seen.credits(subject.environmentId) === 'object';
  };
}

function toNoted(finding: Finding): Noted {
  const { name, where } = readSubject(finding);
  const digest = createHash('sha256')
    .update(JSON.stringify(toState(finding)))
    .digest('base64url');
  return {
    ...{ key: toFindingKey(finding), digest: digest.slice(0, 12), group: finding.group, target: toTarget(finding) },
    name: where === undefined ? name : `${name} in ${where}`,
  };
}

/** If this changes, the finding is new again. */
function toState(finding: Finding): unknown {
  switch (finding.group) {
    case 'new':
      return ['new', finding.pool];
    case 'ending':
      return ['ending', finding.until];
    case 'unknown':
      return ['unknown', finding.why];
    default: {
      const { before, after, resource } = finding.item;
      if (resource === 'credits') return [before, after];
      // Without `used`, which changes every day.
      const { limit, stopped } = before === 'unknown' ? after : before;
      return [limit, stopped, after];
    }
  }
}
