// How the tests of the services ask them: plain requests, no client of ours.
export type Json = { [key: string]: Json } & Json[] & string;

export type Told = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: Json };

type Asking = { readonly method?: string; readonly token: string; readonly body?: unknown };

/** A body that is a text is sent as it is. `headers` take the place of the usual ones. */
export async function askJson(
  url: string,
  { method = 'POST', token, body }: Asking,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: toJson(text) };
}

/** Nothing where the text is no JSON. */
export function toJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {} as Json;
  }
}
