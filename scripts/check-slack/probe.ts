import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from '../../src/http/http-client.ts';
import { parseRetryAfter } from '../../src/http/http-errors.ts';

export type Json = Record<string, unknown>;

/** `status` and `headers`: of HTTP. What Slack's body says is in the rest; `error` is undefined where it is ok. */
export type Answer = Json & { ok: boolean; error?: string; status: number; headers: Record<string, unknown> };

/** What somebody sees: a question to who looks at Slack, and the words that they look for. */
type Sight = { question: string; channel: string; threadTs?: string; words: string };

/** `unseen`: nobody could look. */
export type Look = (sight: Sight) => Promise<'shown' | 'not shown' | 'unseen'>;

/** One Slack that facts are tried on. */
export type Probe = {
  /** A channel that the app and `user` are in. */
  channel: string;
  user: string;
  team: string;
  call(method: string, given?: Json): Promise<Answer>;
  /** Calls it so often at once, without patience. */
  burst(method: string, given: Json, count: number): Promise<Answer[]>;
  /** Posts something that is removed in the end. Throws where Slack refuses it. */
  post(content: Json): Promise<string>;
  /** Sends bytes to an address of an upload; returns the status. */
  upload(url: string, bytes: string): Promise<number>;
  look: Look;
  /** Removes what was posted. */
  clear(): Promise<void>;
};

type ProbeOptions = {
  http: HttpClient;
  /** With its slash at the end. */
  apiUrl: string;
  token: string;
  channel: string;
  user: string;
  look: Look;
};

const TIMEOUT_MS = 15_000;

const DEFAULT_WAIT_MS = 5_000;

/** How often Slack may ask to wait before its limit is what comes of the call. */
const MOST_WAITS = 5;

/** Slack does not take the token, or is not there. With a sentence for people. */
export class NoProbeError extends Error {}

/** Throws NoProbeError. */
export async function openProbe(options: ProbeOptions): Promise<Probe> {
  const { http, apiUrl, token, channel, user, look } = options;
  const posted: string[] = [];

  async function send(method: string, given: Json): Promise<Answer> {
    const response = await http.send({
      method: 'POST',
      url: `${apiUrl}${method}`,
      subject: method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: toForm(given),
      totalTimeoutMs: TIMEOUT_MS,
    });
    const { status, headers } = response;
    return { ok: false, ...readBody(await response.text()), status, headers };
  }

  async function call(method: string, given: Json = {}): Promise<Answer> {
    for (let waits = 0; ; waits += 1) {
      const answer = await send(method, given);
      const { 'retry-after': after } = answer.headers;
      if (answer.status !== 429 || waits === MOST_WAITS) return note(method, answer);
      await sleep(parseRetryAfter(String(after), Date.now()) ?? DEFAULT_WAIT_MS);
    }
  }

  /** Also what a fact makes itself is removed in the end. */
  function note(method: string, answer: Answer): Answer {
    const isPosting = method === 'chat.postMessage' || method === 'chat.startStream';
    if (isPosting && answer.ok) posted.push(String(answer.ts));
    return answer;
  }

  const who = await call('auth.test').catch((error: unknown) => {
    throw new NoProbeError(`Slack cannot be reached at ${apiUrl}. Check the network, and HTTPS_PROXY.`, {
      cause: error,
    });
  });
  if (!who.ok) throw new NoProbeError(`Slack does not take the token (${who.error ?? `status ${who.status}`}).`);
  return {
    ...{ channel, user, team: String(who.team_id), look },
    call,
    burst: (method, given, count) => Promise.all(Array.from({ length: count }, () => send(method, given))),
    async post(content) {
      const answer = await call('chat.postMessage', { channel, text: 'A check by npm run check:slack', ...content });
      if (!answer.ok) throw new Error(`chat.postMessage: ${answer.error}`);
      return String(answer.ts);
    },
    async upload(url, bytes) {
      const request = { method: 'POST', url, subject: 'upload', body: bytes, totalTimeoutMs: TIMEOUT_MS } as const;
      return (await http.send(request)).status;
    },
    async clear() {
      for (const ts of posted.splice(0).reverse()) await call('chat.delete', { channel, ts });
    },
  };
}

/** A form, because methods that read take no JSON. */
function toForm(given: Json): string {
  const values = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(Object.fromEntries(values)).toString();
}

function readBody(text: string): Json {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    return { error: 'no_json' };
  }
}
