import type { WebAPICallResult, WebClient } from '@slack/web-api';

/** The arguments of a method, and its answer. */
type Called<Method extends (args: never) => Promise<unknown>> = [
  NonNullable<Parameters<Method>[0]>,
  Awaited<ReturnType<Method>>,
];

/** The methods of Slack's Web API that we call, with the types of @slack/web-api. */
type Methods = {
  'agents.sessions.setStatus': Called<WebClient['agents']['sessions']['setStatus']>;
  'apps.connections.open': Called<WebClient['apps']['connections']['open']>;
  'apps.uninstall': Called<WebClient['apps']['uninstall']>;
  'assistant.threads.setSuggestedPrompts': [
    // Not the type of @slack/web-api, which wants the thread that an agent must leave out.
    { channel_id: string; prompts: { title: string; message: string }[] },
    WebAPICallResult,
  ];
  'assistant.threads.setStatus': [{ channel_id: string; thread_ts: string; status: string }, WebAPICallResult];
  'auth.revoke': Called<WebClient['auth']['revoke']>;
  'auth.test': Called<WebClient['auth']['test']>;
  'chat.appendStream': Called<WebClient['chat']['appendStream']>;
  'chat.delete': Called<WebClient['chat']['delete']>;
  'chat.postEphemeral': Called<WebClient['chat']['postEphemeral']>;
  'chat.postMessage': Called<WebClient['chat']['postMessage']>;
  'chat.startStream': Called<WebClient['chat']['startStream']>;
  'chat.stopStream': Called<WebClient['chat']['stopStream']>;
  'chat.update': Called<WebClient['chat']['update']>;
  'conversations.history': Called<WebClient['conversations']['history']>;
  'conversations.info': Called<WebClient['conversations']['info']>;
  'conversations.members': Called<WebClient['conversations']['members']>;
  'conversations.open': Called<WebClient['conversations']['open']>;
  'conversations.replies': Called<WebClient['conversations']['replies']>;
  'oauth.v2.access': Called<WebClient['oauth']['v2']['access']>;
  'files.completeUploadExternal': Called<WebClient['files']['completeUploadExternal']>;
  'files.getUploadURLExternal': Called<WebClient['files']['getUploadURLExternal']>;
  'files.info': Called<WebClient['files']['info']>;
  'usergroups.users.list': Called<WebClient['usergroups']['users']['list']>;
  'users.info': Called<WebClient['users']['info']>;
  'users.list': Called<WebClient['users']['list']>;
  'users.lookupByEmail': Called<WebClient['users']['lookupByEmail']>;
  'views.open': Called<WebClient['views']['open']>;
  'views.publish': Called<WebClient['views']['publish']>;
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
 * Calls a method of Slack's Web API once, within ten seconds, without retries. `token`: empty for methods that take the
 * app's credentials as arguments. `importance`: `answer` by default.
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
  'conversations.members',
  'conversations.replies',
  'oauth.v2.access',
  'files.getUploadURLExternal',
  'files.info',
  'usergroups.users.list',
  'users.info',
  'users.list',
  'users.lookupByEmail',
]);
