import type { JsonObject } from '../../src/json.ts';
import { type Answer, type Asking, SlackUnreachableError, send, sendPatiently, TIMEOUT_MS } from './send.ts';

/** What to look for: the question to the person who looks at Slack, and the words that may be there. */
type Sight = { question: string; channel: string; threadTs?: string; words: string };

/** `unseen`: nobody could look. */
export type Look = (sight: Sight) => Promise<'shown' | 'not shown' | 'unseen'>;

export type Probe = Awaited<ReturnType<typeof openProbe>>;

/** `channel`: one that the app and `user` are in. */
type ProbeOptions = Omit<Asking, 'headers'> & { token: string; channel: string; user: string; look: Look };

/** One Slack that facts are tried on. Throws SlackUnreachableError, also if Slack does not accept the token. */
export async function openProbe({ token, channel, user, look, ...options }: ProbeOptions) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const asking = { ...options, headers };
  const posted: string[] = [];

  async function call(method: string, given: JsonObject = {}): Promise<Answer> {
    return note(method, await sendPatiently(asking, method, toForm(given)));
  }

  /** Messages that facts post themselves are removed in the end, too. */
  function note(method: string, answer: Answer): Answer {
    const isPosting = method === 'chat.postMessage' || method === 'chat.startStream';
    if (isPosting && answer.ok) posted.push(String(answer.ts));
    return answer;
  }

  const who = await call('auth.test');
  if (!who.ok)
    throw new SlackUnreachableError(`Slack does not take the token (${who.error ?? `status ${who.status}`}).`);
  return {
    ...{ channel, user, team: String(who.team_id), look },
    call,
    /** Makes `count` calls at once, and never waits. */
    burst: (method: string, given: JsonObject, count: number) =>
      Promise.all(Array.from({ length: count }, () => send(asking, method, toForm(given)))),
    /** Posts a message that is removed in the end. Throws if Slack refuses it. */
    async post(content: JsonObject): Promise<string> {
      const answer = await call('chat.postMessage', { channel, text: 'A check by npm run check:slack', ...content });
      if (!answer.ok) throw new Error(`chat.postMessage: ${answer.error}`);
      return String(answer.ts);
    },
    /** Sends bytes to an address of an upload; returns the status. */
    async upload(url: string, bytes: string): Promise<number> {
      const request = { method: 'POST', url, subject: 'upload', body: bytes, totalTimeoutMs: TIMEOUT_MS } as const;
      return (await options.http.send(request)).status;
    },
    /** Removes what was posted. */
    async clear(): Promise<void> {
      for (const ts of posted.splice(0).reverse()) await call('chat.delete', { channel, ts });
    },
  };
}

/** A form, because methods that read take no JSON. */
function toForm(given: JsonObject): string {
  const values = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(Object.fromEntries(values)).toString();
}
