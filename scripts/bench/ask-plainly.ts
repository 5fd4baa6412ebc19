// How the bots that the app is compared with ask the assistant: with one fixed token, in the conversation of each
// thread, which is in memory only.

/** Posts JSON and returns the JSON of the answer. Throws if the status is not 2xx. */
export type Post = (url: string, token: string, body: object) => Promise<unknown>;

/** The conversation of each thread. */
const conversations = new Map<string, string>();

/** Asks in the thread's conversation, or in a new one. Returns the answer's text as it came. */
export async function askPlainly(thread: string, text: string, post: Post): Promise<string> {
  const url = `${read('ASSISTANT_BASE_URL')}/rest/conversations`;
  const token = read('ASSISTANT_TOKEN');
  const conversation = conversations.get(thread) ?? ((await post(url, token, {})) as { id: string }).id;
  conversations.set(thread, conversation);
  const answer = await post(`${url}/${conversation}/chat`, token, { message: { text } });
  return (answer as { messages: { text: string }[] }).messages.at(-1)?.text ?? 'There is no answer.';
}

/** A required environment variable. */
export function read(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
}
