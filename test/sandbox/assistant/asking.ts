// How the tests of the stand-in ask it.
import { askJson, type Json, type Told, toJson } from '../loopback/ask-json.ts';
import type { AssistantSandbox } from './start-assistant.ts';

export function post(
  assistant: AssistantSandbox,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told> {
  return askJson(assistant.url + path, { token: 'sandbox-ana', body }, headers);
}

export async function create(assistant: AssistantSandbox, person = 'ana'): Promise<string> {
  const created = await post(assistant, '/rest/conversations', {}, { authorization: `Bearer sandbox-${person}` });
  return String(created.json.id);
}

export function ask(assistant: AssistantSandbox, id: string, text = 'What is new?', way = 'chat'): Promise<Told> {
  return post(assistant, `/rest/conversations/${id}/${way}`, { message: { text } });
}

/** As this person, whoever began the conversation. */
export function askAs(assistant: AssistantSandbox, person: string, id: string): Promise<Told> {
  const headers = { authorization: `Bearer sandbox-${person}` };
  return post(assistant, `/rest/conversations/${id}/chat`, { message: { text: 'What is new?' } }, headers);
}

/** The `data:` payloads of a well-formed stream. */
export function readEvents(text: string): Json[] {
  return [...text.matchAll(/^data:(.*)$/gm)].map((match) => toJson(match[1] ?? ''));
}
