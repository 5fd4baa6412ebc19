// All of Slack's limits. If we stay below one of them, the code that does so says why.
//
// One has no constant, because no code computes with it: Slack waits three seconds for an acknowledgement, for suggestions,
// and for a modal after a click. Each wait of ours stays below that:
// https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response

/** https://docs.slack.dev/reference/block-kit/blocks */
export const MAX_MESSAGE_BLOCKS = 50;

/** All Markdown in a message together: https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
export const MAX_MARKDOWN_LENGTH = 12_000;

/**
 * A streamed message ends five minutes after its start, and takes about 11 KB of UTF-8. Neither is documented:
 * https://github.com/slackapi/python-slack-sdk/issues/1859
 */
export const STREAM_LIFE_MS = 5 * 60_000;
export const MAX_STREAM_BYTES = 10_600;

/**
 * Of the text beside the blocks, if the message is edited. Slack's page says characters, but bytes are counted:
 * https://docs.slack.dev/reference/methods/chat.update and https://gitlab.com/gitlab-org/gitlab/-/merge_requests/258898
 */
export const MAX_TEXT_BYTES = 4_000;

/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
export const MAX_SECTION_LENGTH = 3_000;

/** Per message; the heading is one of the rows: https://docs.slack.dev/reference/block-kit/blocks/table-block */
export const MAX_TABLES = 1;
export const MAX_TABLE_ROWS = 100;
export const MAX_TABLE_COLUMNS = 20;
/** Characters in all cells together. */
export const MAX_TABLE_LENGTH = 10_000;

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
export const MAX_BUTTON_VALUE_LENGTH = 2_000;
export const MAX_BUTTON_TEXT_LENGTH = 75;

/** https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
export const MAX_DIALOG_TITLE_LENGTH = 100;
export const MAX_DIALOG_TEXT_LENGTH = 300;
export const MAX_DIALOG_BUTTON_LENGTH = 30;

/** Also for its buttons to submit and close: https://docs.slack.dev/reference/views/modal-views */
export const MAX_MODAL_TITLE_LENGTH = 24;

/** https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
export const MAX_OPTIONS = 100;

/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
export const MAX_OPTION_TEXT_LENGTH = 75;
export const MAX_OPTION_VALUE_LENGTH = 150;

/** Typed text: https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
export const MAX_INPUT_LENGTH = 3_000;

/** Messages per call; Slack may return fewer: https://docs.slack.dev/reference/methods/conversations.replies */
export const MAX_PAGE = 200;

/** People per call: https://docs.slack.dev/reference/methods/conversations.members and users.list */
export const MAX_PEOPLE_PAGE = 999;

/** Slack resends an event this often at most: https://docs.slack.dev/apis/events-api/#retries */
export const MAX_EVENT_RETRIES = 3;

/** `limit` calls per `perMs`; all of them may be made at once. */
export type Rate = { limit: number; perMs: number };

const MINUTE_MS = 60_000;

/**
 * "1+", "20+", "50+" and "100+ per minute", per method, app and workspace. These are minimums, so Slack may allow more:
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
const TIER_1: Rate = { limit: 1, perMs: MINUTE_MS };
const TIER_2: Rate = { limit: 20, perMs: MINUTE_MS };
const TIER_3: Rate = { limit: 50, perMs: MINUTE_MS };
const TIER_4: Rate = { limit: 100, perMs: MINUTE_MS };

/** "Several hundred messages per minute"; Slack names no number: https://docs.slack.dev/reference/methods/chat.postMessage */
const POSTS: Rate = { limit: 300, perMs: MINUTE_MS };

/** "1 message per second to a specific channel"; short bursts are allowed, again without a number. Same page. */
export const POSTS_IN_CHANNEL: Rate = { limit: 3, perMs: 3_000 };

/** "Hundreds of requests per minute": https://docs.slack.dev/reference/methods/auth.test */
const TOKEN_TESTS: Rate = { limit: 300, perMs: MINUTE_MS };

/**
 * Slack's page only says that special limits apply. Its Java SDK counts 60 per minute for each direct message, and calls
 * it similar to posting: MethodsRateLimits.java and MethodsRateLimitTier.java of https://github.com/slackapi/java-slack-sdk
 */
const STATUS_IN_CHANNEL: Rate = { limit: 60, perMs: MINUTE_MS };

/**
 * Slack names tier 1, but tolerates bursts. All connections of the app, ten at most, may be lost at once: the limit is left
 * to Slack's 429.
 */
const CONNECTIONS: Rate = { limit: 10, perMs: MINUTE_MS };

/** `gives`: what it is called for. `isForm`: takes no JSON: https://docs.slack.dev/apis/web-api/#methods_supporting_json */
export type Method = { workspace: Rate; channel?: Rate; isForm?: boolean; gives?: string };

/** The methods that we call. Their tiers: "Rate limits" on https://docs.slack.dev/reference/methods/… of each. */
export const METHODS = {
  'agents.sessions.setStatus': { workspace: TIER_3 },
  'apps.connections.open': { workspace: CONNECTIONS },
  'apps.uninstall': { workspace: TIER_1, isForm: true },
  'assistant.threads.setStatus': { workspace: POSTS, channel: STATUS_IN_CHANNEL },
  'assistant.threads.setSuggestedPrompts': { workspace: TIER_3 },
  'auth.revoke': { workspace: TIER_3, isForm: true },
  'auth.test': { workspace: TOKEN_TESTS, isForm: true },
  'chat.appendStream': { workspace: TIER_4 },
  'chat.delete': { workspace: TIER_3 },
  'chat.postEphemeral': { workspace: TIER_4 },
  'chat.postMessage': { workspace: POSTS, channel: POSTS_IN_CHANNEL, gives: 'ts' },
  'chat.startStream': { workspace: TIER_2, gives: 'ts' },
  'chat.stopStream': { workspace: TIER_2 },
  'chat.update': { workspace: TIER_3 },
  'conversations.history': { workspace: TIER_3, isForm: true, gives: 'messages' },
  'conversations.info': { workspace: TIER_3, isForm: true, gives: 'channel' },
  'conversations.members': { workspace: TIER_4, isForm: true, gives: 'members' },
  'conversations.open': { workspace: TIER_3 },
  'conversations.replies': { workspace: TIER_3, isForm: true, gives: 'messages' },
  'oauth.v2.access': { workspace: TIER_4, isForm: true },
  'files.completeUploadExternal': { workspace: TIER_4 },
  'files.getUploadURLExternal': { workspace: TIER_4, isForm: true },
  'files.info': { workspace: TIER_4, isForm: true },
  'usergroups.list': { workspace: TIER_2, isForm: true, gives: 'usergroups' },
  'usergroups.users.list': { workspace: TIER_2, isForm: true, gives: 'users' },
  'users.info': { workspace: TIER_4, isForm: true, gives: 'user' },
  'users.list': { workspace: TIER_2, isForm: true, gives: 'members' },
  'users.lookupByEmail': { workspace: TIER_3, isForm: true },
  'views.open': { workspace: TIER_4 },
  'views.publish': { workspace: TIER_4 },
  'views.update': { workspace: TIER_4 },
} satisfies Record<string, Method>;
