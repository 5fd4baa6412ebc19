import type { WebAPICallResult, WebClient } from '@slack/web-api';
import type { METHODS } from './limits.ts';

/** The methods of Slack's Web API that we call. */
export type SlackMethod = keyof typeof METHODS;

/** The arguments of a method and its answer, with the types of @slack/web-api. */
type Called<M extends SlackMethod> = M extends keyof Unlike ? Unlike[M] : TypesOf<FunctionAt<WebClient, M>>;

/** Methods that we call otherwise than @slack/web-api declares: an agent leaves out the thread of suggested prompts. */
type Unlike = {
  'assistant.threads.setSuggestedPrompts': [
    { channel_id: string; prompts: { title: string; message: string }[] },
    WebAPICallResult,
  ];
  'assistant.threads.setStatus': [{ channel_id: string; thread_ts: string; status: string }, WebAPICallResult];
};

type TypesOf<Method> = Method extends (args: infer Args) => Promise<infer Answer> ? [NonNullable<Args>, Answer] : never;

type FunctionAt<Part, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Part
    ? FunctionAt<Part[Name], Rest>
    : never
  : Path extends keyof Part
    ? Part[Path]
    : never;

/**
 * The priority of a call when Slack's limits do not allow all of them. `answer`: somebody waits for it. `reply`: the same,
 * but it is made at once or not at all, because we have to know when it was sent. `notice`: a message beside an answer.
 * `extra`: skipped at once if there is no room.
 */
export type Importance = 'answer' | 'reply' | 'notice' | 'extra';

/**
 * Calls a method of Slack's Web API once, within ten seconds, without retries. `importance`: `answer` by default. `signal`
 * aborts the call; its outcome is then unknown.
 *
 * Throws SlackRefusedError, SlackRateLimitedError, SlackUnavailableError (nothing was done), or OutcomeUnknownError
 * (it may have been done).
 */
type Call<By> = <M extends SlackMethod>(
  method: M,
  by: By,
  args: Called<M>[0],
  importance?: Importance,
  signal?: AbortSignal,
) => Promise<Called<M>[1]>;

/** A call as our bot in a workspace. Also throws what FindInstallation throws. */
export type CallSlack = Call<string>;

/**
 * A call with any token: it is empty for methods that take the app's credentials as arguments. `workspace`: whose limits
 * the call counts in.
 */
export type CallWithToken = Call<Credentials>;

export type Credentials = { workspace: string; botToken: string };

/** Methods that read messages, which Slack limits by how the app is distributed. */
export function isReading(method: string): boolean {
  return method === 'conversations.history' || method === 'conversations.replies';
}
