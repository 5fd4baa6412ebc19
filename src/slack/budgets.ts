import type { Importance, SlackMethod } from './slack-caller.ts';
import type { Bucket } from './token-buckets.ts';

type Limit = Pick<Bucket, 'limit' | 'perMs'>;

const MINUTE_MS = 60_000;

/**
 * "50+ per minute" and "100+ per minute", for each method, app and workspace. They are minimums with room for bursts,
 * so we keep below what Slack would let pass: https://docs.slack.dev/apis/web-api/rate-limits
 */
const TIER_3: Limit = { limit: 50, perMs: MINUTE_MS };
const TIER_4: Limit = { limit: 100, perMs: MINUTE_MS };

/**
 * Reading messages, for apps that are sold outside the Marketplace; apps of one's own and those of the Marketplace have
 * tier 3: https://docs.slack.dev/reference/methods/conversations.replies
 */
const DISTRIBUTED_READING: Limit = { limit: 1, perMs: MINUTE_MS };

/** Whose limits for reading messages count: see SLACK_HISTORY_LIMIT. */
export type HistoryLimit = 'internal' | 'distributed';

/** "Several hundred messages per minute"; Slack names no number: https://docs.slack.dev/reference/methods/chat.postMessage */
const POSTS: Limit = { limit: 300, perMs: MINUTE_MS };

/** "1 message per second to a specific channel"; short bursts are allowed, with no number again. Same page. */
const POSTS_IN_CHANNEL: Limit = { limit: 3, perMs: 3_000 };

/**
 * Slack's page only says that special limits apply. Its Java SDK counts 60 a minute for each direct message, and calls
 * it similar to posting: MethodsRateLimits.java and MethodsRateLimitTier.java of https://github.com/slackapi/java-slack-sdk
 */
const STATUS_IN_CHANNEL: Limit = { limit: 60, perMs: MINUTE_MS };

/** The tiers: "Rate limits" on https://docs.slack.dev/reference/methods/… of each method. */
const LIMITS = {
  'agents.sessions.setStatus': { workspace: TIER_3 },
  'assistant.threads.setStatus': { workspace: POSTS, channel: STATUS_IN_CHANNEL },
  'chat.delete': { workspace: TIER_3 },
  'chat.postEphemeral': { workspace: TIER_4 },
  'chat.postMessage': { workspace: POSTS, channel: POSTS_IN_CHANNEL },
  'chat.update': { workspace: TIER_3 },
  'conversations.history': { workspace: TIER_3 },
  'conversations.info': { workspace: TIER_3 },
  'conversations.open': { workspace: TIER_3 },
  'conversations.replies': { workspace: TIER_3 },
  'users.info': { workspace: TIER_4 },
  'users.lookupByEmail': { workspace: TIER_3 },
  'views.open': { workspace: TIER_4 },
  'views.update': { workspace: TIER_4 },
} satisfies Record<SlackMethod, { workspace: Limit; channel?: Limit }>;

/** The share of each bucket that a call leaves to more important ones. */
export const RESERVES: Record<Importance, number> = { answer: 0, reply: 0, notice: 0.25, extra: 0.5 };

/**
 * Where a call counts. The first bucket is the method's in the workspace, which is what a 429 is about: Slack wants no
 * call of "the same method" for the same workspace until then, and does not mind other methods and workspaces.
 */
export function toBuckets(
  method: SlackMethod,
  workspace: string,
  args: object,
  historyLimit: HistoryLimit = 'internal',
): [Bucket, ...Bucket[]] {
  const isReading = method === 'conversations.history' || method === 'conversations.replies';
  const isRare = isReading && historyLimit === 'distributed';
  const limits: { workspace: Limit; channel?: Limit } = isRare ? { workspace: DISTRIBUTED_READING } : LIMITS[method];
  const key = `${method}:${workspace}`;
  const inWorkspace = { key, ...limits.workspace };
  return limits.channel ? [inWorkspace, { key: `${key}:${readChannel(args)}`, ...limits.channel }] : [inWorkspace];
}

function readChannel(args: { channel?: unknown; channel_id?: unknown }): string {
  return String(args.channel ?? args.channel_id ?? '');
}
