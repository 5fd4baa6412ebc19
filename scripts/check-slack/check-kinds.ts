import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from '../../src/http/http-client.ts';
import type { Kind } from '../../test/slack/catalogue/kind.ts';
import { type Answer, SlackUnreachableError, sendPatiently } from './send.ts';

type Options = {
  http: HttpClient;
  /** With a slash at the end. */
  apiUrl: string;
  /** The pause between two calls. */
  pauseMs: number;
  /** One line per kind. */
  print(line: string): void;
};

const REFUSALS = ['invalid_blocks', 'invalid_message', 'invalid_view'];

/** Asks Slack about one kind after the other; returns how many it refuses. Throws SlackUnreachableError. */
export async function checkKinds(kinds: readonly Kind[], options: Options): Promise<number> {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  let refused = 0;
  for (const [index, kind] of kinds.entries()) {
    if (index > 0) await sleep(options.pauseMs);
    const answer = await sendPatiently({ ...options, headers }, 'blocks.validate', toPayload(kind));
    const problems = readProblems(answer);
    if (problems.length > 0) refused += 1;
    options.print(`${problems.length === 0 ? '✓' : '✗'} ${kind.kind}${problems.map((one) => `\n    ${one}`).join('')}`);
  }
  return refused;
}

/** https://docs.slack.dev/reference/methods/blocks.validate: without a token, one of `message` and `view`. */
function toPayload(kind: Kind): string {
  return JSON.stringify('view' in kind ? { view: kind.view } : { message: { blocks: kind.message.blocks } });
}

type Refused = {
  errors?: { pointer?: string; code?: string; message?: string }[];
  response_metadata?: { messages?: string[] };
};

/** Slack's objections to a payload; empty if it accepts the payload. */
function readProblems(answer: Answer): string[] {
  const { ok, status, error = '', errors = [], response_metadata }: Answer & Refused = answer;
  if (ok) return [];
  if (status === 429) {
    throw new SlackUnreachableError(
      'Slack takes no more calls of blocks.validate for now. Try again in a few minutes.',
    );
  }
  if (!REFUSALS.includes(error)) {
    throw new SlackUnreachableError(
      `Slack did not answer the question: ${error === '' ? `status ${status}` : error}. Is the address that of the Web API?`,
    );
  }
  const found = errors.map(({ pointer = '', code = '', message = '' }) => `${pointer} ${message || code}`.trim());
  return found.length > 0 ? found : (response_metadata?.messages ?? [error]);
}
