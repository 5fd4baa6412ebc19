import type { WebAPICallResult, WebClient } from '@slack/web-api';

/** The arguments of a method, and its answer. */
type Called<Method extends (args: never) => Promise<unknown>> = [
  NonNullable<Parameters<Method>[0]>,
  Awaited<ReturnType<Method>>,
];

/** The methods of Slack's Web API that we call, with the types of @slack/web-api. */
type Methods = {
  'agents.sessions.setStatus': Called<WebClient['agents']['sessions']['setStatus']>;
  'apps.uninstall': Called<WebClient['apps']['uninstall']>;
  'assistant.threads.setStatus': [{ channel_id: string; thread_ts: string; status: string }, WebAPICallResult];
  'auth.revoke': Called<WebClient['auth']['revoke']>;
  'auth.test': Called<WebClient['auth']['test']>;
  'chat.delete': Called<WebClient['chat']['delete']>;
  'chat.postEphemeral': Called<WebClient['chat']['postEphemeral']>;
  'chat.postMessage': Called<WebClient['chat']['postMessage']>;
  'chat.update': Called<WebClient['chat']['update']>;
  'conversations.history': Called<WebClient['conversations']['history']>;
  'conversations.info': Called<WebClient['conversations']['info']>;
  'conversations.open': Called<WebClient['conversations']['open']>;
  'conversations.replies': Called<WebClient['conversations']['replies']>;
  'usergroups.users.list': Called<WebClient['usergroups']['users']['list']>;
  'users.info': Called<WebClient['users']['info']>;
  'users.lookupByEmail': Called<WebClient['users']['lookupByEmail']>;
  'views.open': Called<WebClient['views']['open']>;
  'views.update': Called<WebClient['views']['update']>;
};

export type SlackMethod = keyof Methods;

/**
 * The priority of a call when Slack's limits do not allow all of them. `answer`: somebody waits for it. `reply`: the same,
 * but it is made at once or not at all, because we have to know when it was sent. `notice`: a message beside an answer.
 * `extra`: skipped at once if there is no room.
 */
export type Importance = 'answer' | 'reply' | 'notice' | 'extra';

/**
 * Calls a method of Slack's Web API once, within ten seconds, without retries. `importance`: `answer` by default.
 * `signal` aborts the call; its outcome is then unknown.
 *
 * Throws SlackRefusedError, SlackRateLimitedError, SlackUnavailableError (nothing was done), or OutcomeUnknownError
 * (it may have been done).
 */
export type CallSlack = <M extends SlackMethod>(
  method: M,
  token: string,
  args: Methods[M][0],
  importance?: Importance,
  signal?: AbortSignal,
) => Promise<Methods[M][1]>;

/** Methods that read messages, which Slack limits by how the app is distributed. */
export function isReading(method: string): boolean {
  return method === 'conversations.history' || method === 'conversations.replies';
}

/** These accept their arguments as a form only: https://docs.slack.dev/apis/web-api/#methods_supporting_json */
export const FORM_METHODS: ReadonlySet<SlackMethod> = new Set<SlackMethod>([
  'apps.uninstall',
  'auth.revoke',
  'auth.test',
  'conversations.history',
  'conversations.info',
  'conversations.replies',
  'usergroups.users.list',
  'users.info',
  'users.lookupByEmail',
]);
