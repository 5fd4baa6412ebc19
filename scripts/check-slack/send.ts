import { setTimeout as sleep } from 'node:timers/promises';
import { readConnectionFault } from '../../src/http/connection-fault.ts';
import type { HttpClient } from '../../src/http/http-client.ts';
import { parseRetryAfter } from '../../src/http/http-errors.ts';
import { type JsonObject, parseObject } from '../../src/json.ts';

/** Slack gave no usable answer. The message is a sentence for people. */
export class SlackUnreachableError extends Error {}

/** Which Slack is called, and how. `apiUrl`: with a slash at the end. `wait`: in ms; by default, the time passes. */
export type Asking = {
  http: HttpClient;
  apiUrl: string;
  headers: Record<string, string>;
  wait?: ((ms: number) => Promise<unknown>) | undefined;
};

/** `status` and `headers`: of HTTP. The rest is from Slack's body; `error` is undefined if `ok`. */
export type Answer = JsonObject & { ok: boolean; error?: string; status: number; headers: Record<string, unknown> };

export const TIMEOUT_MS = 15_000;

/** Slack names no limit for some methods, so a call is repeated a few times. */
const MOST_WAITS = 5;

const DEFAULT_WAIT_MS = 30_000;

/** Waits as long as Slack says. After the last wait, the 429 is the answer. Throws SlackUnreachableError. */
export async function sendPatiently(asking: Asking, method: string, body: string): Promise<Answer> {
  const { wait = sleep } = asking;
  for (let waits = 0; ; waits += 1) {
    const answer = await send(asking, method, body);
    if (answer.status !== 429 || waits === MOST_WAITS) return answer;
    await wait(parseRetryAfter(String(answer.headers['retry-after']), Date.now()) ?? DEFAULT_WAIT_MS);
  }
}

/** Throws SlackUnreachableError. */
export async function send({ http, apiUrl, headers }: Asking, method: string, body: string): Promise<Answer> {
  const url = `${apiUrl}${method}`;
  try {
    const response = await http.send({
      ...{ method: 'POST', url, subject: method, headers, body, totalTimeoutMs: TIMEOUT_MS },
    });
    return { ok: false, ...parseObject(await response.text()), status: response.status, headers: response.headers };
  } catch (cause) {
    const fault = readConnectionFault(cause);
    const why = fault
      ? ` (${fault.code}). ${fault.advice}`
      : '. Check the network, and HTTPS_PROXY if there is a proxy.';
    throw new SlackUnreachableError(`Slack cannot be reached at ${apiUrl}${why}`, { cause });
  }
}
