// The limit and the stop of one agent in one currency. A write replaces all of it.
import type { ThresholdBody } from '../../admin-api/licensing-wire.ts';
import { isSameThreshold } from '../plan/compare.ts';
import type { ThresholdItem } from '../plan/plan.ts';
import { readThresholds } from '../plan/read-seen.ts';
import type { ThresholdState } from '../plan/seen.ts';
import { findThreshold, toThresholdState } from '../plan/seen-resources.ts';
import type { Resource } from './resource.ts';
import { toSentKey } from './sent.ts';

/** `raw`: the id that the service files it under. */
export type ThresholdResource = Resource<ThresholdItem, ThresholdState, string>;

export function createThresholdResource({ readsLimits }: { readsLimits: boolean }): ThresholdResource {
  return {
    toLockKey: (item) => `threshold:${toSentKey(item)}`,
    async look({ agent, currency }, session) {
      if (!readsLimits) return 'hidden';
      const rows = await readThresholds(session, currency);
      if (typeof rows === 'string') return rows;
      const row = findThreshold(rows, agent);
      const state = toThresholdState(row);
      return typeof state === 'string' ? state : { state, raw: row?.resourceId ?? agent.resourceId };
    },
    isBefore: ({ before }, state) => (before === 'unknown' ? undefined : isSameThreshold(before, state)),
    isAfter: ({ after }, state) => isSameThreshold(after, state),
    isSame: isSameThreshold,
    write: ({ agent, currency, after }, looked, session) =>
      session.putThreshold({
        environmentId: agent.environmentId,
        agentResourceId: typeof looked === 'string' ? agent.resourceId : looked.raw,
        currencyType: currency,
        ...toThresholdBody(after),
      }),
  };
}

/** Without a limit: 0, and nothing that acts on it. */
export function toThresholdBody({ limit, stopped }: ThresholdState): ThresholdBody {
  const { credits, noticeAt, stopAtLimit } = limit === 'none' ? NO_LIMIT : limit;
  return {
    stopResource: stopped,
    limit: credits,
    stopIfOverCapacity: stopAtLimit,
    notifyIfOverCapacity: noticeAt !== 'off',
    notificationThreshold: noticeAt === 'off' ? 0 : noticeAt,
  };
}

const NO_LIMIT = { credits: 0, noticeAt: 'off', stopAtLimit: false } as const;
