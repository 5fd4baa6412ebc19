// How the tests of the stand-in ask it: plain requests, no client of ours.
import type { AssistantSandbox } from './start-assistant.ts';

export type Told = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: Json };
type Json = { [key: string]: Json } & Json[] & string;

export async function post(
  assistant: AssistantSandbox,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told> {
  const response = await fetch(assistant.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-ana', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

export async function create(assistant: AssistantSandbox, person = 'ana'): Promise<string> {
  const created = await post(assistant, '/rest/conversations', {}, { authorization: `Bearer sandbox-${person}` });
  return String(created.json.id);
}

export function ask(assistant: AssistantSandbox, id: string, text = 'What is new?', way = 'chat'): Promise<Told> {
  return post(assistant, `/rest/conversations/${id}/${way}`, { message: { text } });
}

/** The `data:` payloads of a well-formed stream. */
export function readEvents(text: string): Json[] {
  return [...text.matchAll(/^data:(.*)$/gm)].map((match) => parse(match[1] ?? ''));
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {} as Json;
  }
}
