// The checks that the services have in common. What fails one is thrown as its answer.
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { isJsonRequest, parseJson, type Reply, readRequestText } from './reply.ts';

/** Thrown by whatever serves a request: the server answers with it. */
export class Refused extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.reply = reply;
  }
}

/** How a service words an error. */
type BuildError = (status: number, code: string, message: string) => Reply;

/** The JSON of a request: 413 where it is too large, 415 and 400 where it is none. */
export async function readJson(request: IncomingMessage, buildError: BuildError): Promise<unknown> {
  const text = await readRequestText(request);
  if (text === undefined) throw new Refused(buildError(413, 'RequestEntityTooLarge', 'The request is too large.'));
  if (!isJsonRequest(request))
    throw new Refused(buildError(415, 'UnsupportedMediaType', 'Content-Type must be application/json.'));
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Refused(buildError(400, 'BadRequest', 'The body is not JSON.'));
  return parsed.value;
}

/** The value as the schema has it; 400 with all that is wrong where it has not. */
export function check<T>(schema: z.ZodType<T>, value: unknown, buildError: BuildError): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new Refused(buildError(400, 'BadRequest', problems.join('; ')));
}
