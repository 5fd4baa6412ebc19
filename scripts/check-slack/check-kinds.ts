import { setTimeout as sleep } from 'node:timers/promises';
import { readConnectionFault } from '../../src/http/connection-fault.ts';
import type { HttpClient } from '../../src/http/http-client.ts';
import { parseRetryAfter } from '../../src/http/http-errors.ts';
import type { Kind } from '../../test/slack/catalogue/kind.ts';

/** With a sentence for people: Slack gave no answer to work with. */
export class SlackUnreachableError extends Error {}

type Options = {
  http: HttpClient;
  /** With its slash at the end. */
  apiUrl: string;
  /** Between two calls. */
  pauseMs: number;
  /** One line per kind. */
  print(line: string): void;
};

/** What Slack says about a payload; `problems` is empty where it takes it. */
type Answer = { problems: string[] } | { waitMs: number };

const TIMEOUT_MS = 10_000;

/** Slack names no figure for this method, so it is asked again a few times. */
const MOST_WAITS = 5;

const DEFAULT_WAIT_MS = 30_000;

const REFUSALS = ['invalid_blocks', 'invalid_message', 'invalid_view'];

/** Asks Slack about one kind after the other; returns how many it refuses. Throws SlackUnreachableError. */
export async function checkKinds(kinds: readonly Kind[], options: Options): Promise<number> {
  let refused = 0;
  for (const [index, kind] of kinds.entries()) {
    if (index > 0) await sleep(options.pauseMs);
    const problems = await askPatiently(kind, options);
    if (problems.length > 0) refused += 1;
    options.print(`${problems.length === 0 ? '✓' : '✗'} ${kind.kind}${problems.map((one) => `\n    ${one}`).join('')}`);
  }
  return refused;
}

async function askPatiently(kind: Kind, options: Options): Promise<string[]> {
  for (let waits = 0; waits <= MOST_WAITS; waits += 1) {
    const answer = await ask(kind, options);
    if ('problems' in answer) return answer.problems;
    await sleep(answer.waitMs);
  }
  throw new SlackUnreachableError('Slack takes no more calls of blocks.validate for now. Try again in a few minutes.');
}

/** https://docs.slack.dev/reference/methods/blocks.validate: without a token, one of `message` and `view`. */
async function ask(kind: Kind, { http, apiUrl }: Options): Promise<Answer> {
  const payload = 'view' in kind ? { view: kind.view } : { message: { blocks: kind.message.blocks } };
  try {
    const response = await http.send({
      method: 'POST',
      url: `${apiUrl}blocks.validate`,
      subject: 'blocks.validate',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(payload),
      totalTimeoutMs: TIMEOUT_MS,
    });
    if (response.status === 429) {
      return { waitMs: parseRetryAfter(response.headers['retry-after'], Date.now()) ?? DEFAULT_WAIT_MS };
    }
    return { problems: readProblems(await response.text(), response.status) };
  } catch (error) {
    if (error instanceof SlackUnreachableError) throw error;
    const fault = readConnectionFault(error);
    const why = fault
      ? ` (${fault.code}). ${fault.advice}`
      : '. Check the network, and HTTPS_PROXY if there is a proxy.';
    throw new SlackUnreachableError(`Slack cannot be reached at ${apiUrl}${why}`, { cause: error });
  }
}

type Body = {
  ok?: boolean;
  error?: string;
  errors?: { pointer?: string; code?: string; message?: string }[];
  response_metadata?: { messages?: string[] };
};

function readProblems(text: string, status: number): string[] {
  const body = parse(text);
  if (body?.ok === true) return [];
  const { error = '', errors = [], response_metadata } = body ?? {};
  if (!REFUSALS.includes(error)) {
    throw new SlackUnreachableError(
      `Slack did not answer the question: ${error === '' ? `status ${status}` : error}. Is the address that of the Web API?`,
    );
  }
  const found = errors.map(({ pointer = '', code = '', message = '' }) => `${pointer} ${message || code}`.trim());
  return found.length > 0 ? found : (response_metadata?.messages ?? [error]);
}

function parse(text: string): Body | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}
