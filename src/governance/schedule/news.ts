// What is new since the review before, and what is over. Only what differs is remembered, without names of people.
import { createHash } from 'node:crypto';
import type { Seen } from '../plan/seen.ts';
import { toTargetKey } from '../policy/target.ts';
import { type Finding, toFindingKey, toThresholdKey } from '../review/finding.ts';
import { readSubject } from '../review/finding-words.ts';
import type { Some } from '../review/review.ts';
import type { Reviewed } from '../review/run-review.ts';

/** One finding, as it is remembered. `name`: untrusted. */
type Noted = {
  key: string;
  digest: string;
  group: Finding['group'];
  name: string;
  environmentId?: string | undefined;
  agentId?: string | undefined;
  currency?: string | undefined;
};

/** What the next review is compared with. `at`: epoch ms, when it began. */
export type Snapshot = { at: number; policy: number; differing: number; unknown: number; noted: Noted[] };

export type Difference = { isFirst: boolean; fresh: Finding[]; over: Some; noted: Noted[] };

export function findNews(before: Pick<Snapshot, 'noted'> | undefined, reviewed: Reviewed): Difference {
  const known = new Map(before?.noted.map((noted) => [noted.key, noted]));
  const now = reviewed.findings.map((finding) => {
    const noted = toNoted(finding);
    const last = known.get(noted.key);
    // What cannot be seen now stands as it was last seen, so that it is not new again once it can be.
    return { finding, noted: finding.group === 'unknown' && last ? last : noted };
  });
  const keys = new Set(now.map(({ noted }) => noted.key));
  const fresh = now.filter(({ noted }) => known.get(noted.key)?.digest !== noted.digest);
  const gone = [...known.values()].filter(({ key }) => !keys.has(key));
  const looks = createLooks(reviewed);
  const unseen = gone.filter((noted) => !looks(noted));
  const names = gone.filter((noted) => looks(noted) && noted.group !== 'ending').map(({ name }) => name);
  return {
    isFirst: before === undefined,
    fresh: fresh.map(({ finding }) => finding),
    over: { count: names.length, names: [...new Set(names)].slice(0, MAX_NAMES) },
    noted: [...now.map(({ noted }) => noted), ...unseen],
  };
}

const MAX_NAMES = 10;

/** Whether what is no finding any more was looked at: else it stands as it was. */
function createLooks({ seen, head, asSent }: Reviewed): (noted: Noted) => boolean {
  const agents = new Map(seen.agents.map((agent) => [toTargetKey(toAgent(agent)), agent]));
  const environments = new Set(seen.environments.map(({ environmentId }) => environmentId.toLowerCase()));
  const sent = new Set(asSent.map(({ agent, currency }) => toThresholdKey(agent, currency)));
  return ({ key, group, environmentId, agentId, currency }) => {
    if (group === 'ending' || environmentId === undefined) return true;
    if (agentId !== undefined && currency !== undefined) {
      const agent = agents.get(toTargetKey({ environmentId, agentId }));
      if (agent === undefined) return !head.isPart;
      return group === 'unknown' || sent.has(key) || typeof seen.threshold(agent, currency) === 'object';
    }
    if (!environments.has(environmentId.toLowerCase())) return !head.isPart;
    return group === 'new' || isRead(seen, environmentId);
  };
}

function isRead(seen: Seen, environmentId: string): boolean {
  const looked = seen.credits(environmentId);
  return looked !== undefined && looked !== 'unreadable';
}

function toNoted(finding: Finding): Noted {
  const { name, where } = readSubject(finding);
  const digest = createHash('sha256')
    .update(JSON.stringify(toState(finding)))
    .digest('base64url')
    .slice(0, 12);
  return {
    ...{ key: toFindingKey(finding), digest, group: finding.group },
    name: where === undefined ? name : `${name} in ${where}`,
    ...toIds(finding),
  };
}

/** What makes it another finding, if it changes. */
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
      // What was used changes every day.
      const { limit, stopped } = before === 'unknown' ? after : before;
      return [limit, stopped, after];
    }
  }
}

function toIds(finding: Finding): Pick<Noted, 'environmentId' | 'agentId' | 'currency'> {
  if (finding.group === 'new') return { environmentId: finding.environmentId };
  if (finding.group === 'ending') return {};
  const of = 'item' in finding ? finding.item : finding;
  if ('resource' in of && of.resource === 'credits') return { environmentId: of.environmentId };
  return { ...toAgent(of.agent), currency: of.currency };
}

function toAgent({ environmentId, agentId }: { environmentId: string; agentId: string }) {
  return { environmentId, agentId };
}
