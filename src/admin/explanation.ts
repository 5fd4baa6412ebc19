// What the service says about a refused request. The contract shows no error body; these are the usual shapes.
import { toRecord, toText } from '../admin-api/wire-values.ts';

const MAX_LENGTH = 200;

/** One line for people, at most 200 characters; undefined where the body is not JSON or says nothing. Untrusted. */
export function parseExplanation(body: string): string | undefined {
  const answer = toRecord(parseJson(body));
  const error = toRecord(answer.error);
  const said = [error.message, answer.message, answer.detail, answer.error_description, answer.title, answer.error];
  const text = said.map(toText).find((candidate) => candidate !== undefined);
  const line = text?.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  if (!line) return undefined;
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : line;
}

/** The `error` object of the body; empty where there is none. */
export function parseErrorObject(body: string): Record<string, unknown> {
  return toRecord(toRecord(parseJson(body)).error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
