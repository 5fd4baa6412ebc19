/** Slack's documented rate tiers, per method and team; posting per channel: https://docs.slack.dev/apis/web-api/rate-limits */

export type RateLimits = ReturnType<typeof createRateLimits>;

const PER_MINUTE: Record<string, number> = {
  'apps.connections.open': 1,
  'chat.startStream': 20,
  'chat.stopStream': 20,
  'usergroups.list': 20,
  'usergroups.users.list': 20,
  'users.list': 20,
  'chat.update': 50,
  'chat.delete': 50,
  'conversations.info': 50,
  'conversations.open': 50,
  'conversations.replies': 50,
  'conversations.history': 50,
  'assistant.threads.setSuggestedPrompts': 50,
  'agents.sessions.setStatus': 50,
  'agents.sessions.rename': 50,
  'team.info': 50,
  'chat.appendStream': 100,
  'chat.postEphemeral': 100,
  'conversations.members': 100,
  'files.completeUploadExternal': 100,
  'files.getUploadURLExternal': 100,
  'files.info': 100,
  'users.info': 100,
  'users.lookupByEmail': 50,
  'views.open': 100,
  'views.push': 100,
  'views.update': 100,
  'views.publish': 100,
  'auth.test': 600,
};

/** Counted per channel rather than per team. Slack tolerates short bursts of posts. */
const PER_CHANNEL: Record<string, { perMinute: number; burst: number }> = {
  'chat.postMessage': { perMinute: 60, burst: 5 },
  'assistant.threads.setStatus': { perMinute: 60, burst: 60 },
};

/** One call of conversations.history and one of conversations.replies in so long, and the largest page of each. */
export type ReadingLimit = { perMs: number; page: number };

/** Apps that are commercially distributed outside the Marketplace: https://docs.slack.dev/reference/methods/conversations.replies */
export const DISTRIBUTED_READING: ReadingLimit = { perMs: 60_000, page: 15 };

const READING = ['conversations.history', 'conversations.replies'];

export function createRateLimits(mode: 'off' | 'documented', reading: ReadingLimit | undefined) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    /** The largest page of messages; undefined: as large as is asked for. */
    page: reading?.page,
    /** Seconds to wait, or 0 where the call may go on. */
    check(method: string, channel: unknown): number {
      if (reading && READING.includes(method)) {
        return takeToken(buckets, method, { perMinute: 60_000 / reading.perMs, burst: 1 });
      }
      if (mode === 'off') return 0;
      const perChannel = PER_CHANNEL[method];
      const perMinute = perChannel?.perMinute ?? PER_MINUTE[method];
      if (perMinute === undefined) return 0;
      const key = perChannel ? `${method} ${String(channel)}` : method;
      return takeToken(buckets, key, { perMinute, burst: perChannel?.burst ?? perMinute });
    },
  };
}

function takeToken(
  buckets: Map<string, { tokens: number; at: number }>,
  key: string,
  limit: { perMinute: number; burst: number },
): number {
  const now = Date.now();
  const bucket = buckets.get(key) ?? { tokens: limit.burst, at: now };
  bucket.tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.at) * limit.perMinute) / 60_000);
  bucket.at = now;
  buckets.set(key, bucket);
  if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / limit.perMinute));
  bucket.tokens -= 1;
  return 0;
}
