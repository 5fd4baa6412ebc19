// Whose failure it is when the service answers with an error: the person's, or everybody's.
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { AssistantClient } from '../../src/assistant/assistant-client.ts';
import { createHttpClient, type HttpClient } from '../../src/http/http-client.ts';
import { findClosedUrl } from '../http/loopback.ts';
import { aCall, aConversation, connect, startScripted } from './scripted-service.ts';

const ANSWER = aConversation([{ text: 'What is new?' }, { text: 'Nothing.' }]);
const WRAPPED = { error: { code: 'InternalServerError', message: 'Got Non-2xx response. Status = 403 (Forbidden)' } };

const BROKEN = { error: { code: 'InternalServerError', message: 'An unexpected error occurred.' } };

let http: HttpClient;
let client: AssistantClient;
let url: string;

type Refuse = (response: ServerResponse) => void;

const reply =
  (status: number, body: object = {}, headers: Record<string, string> = {}): Refuse =>
  (response) =>
    void response.writeHead(status, headers).end(JSON.stringify(body));

const breakOff: Refuse = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('data: {}\n\n', () => response.destroy());
};

/** The service refuses everybody but Ben. */
async function start(refuse: Refuse, streaming: 'auto' | 'off' = 'auto') {
  const service = await startScripted(({ headers }, response) => {
    if (headers.authorization === 'Bearer ben') return ANSWER;
    refuse(response);
    return undefined;
  });
  url = service.url;
  http = createHttpClient();
  client = connect(url, { http, streaming });
}

/** Each of so many people asks so often. */
async function askInVain(people: number, times: number): Promise<void> {
  for (let count = 0; count < people * times; count++) {
    const person = `person ${count % people}`;
    await client.ask(aCall({ person, accessToken: person })).catch(() => undefined);
  }
}

const askAsBen = () => client.ask(aCall({ person: 'ben', accessToken: 'ben' }));

type Failing = { refuse: Refuse; people: number; times?: number; isBenServed?: boolean; isLeftInPeace?: boolean };

const several = (refuse: Refuse): Failing => ({ refuse, people: 4, isLeftInPeace: true });

const FAILING: Record<string, Failing> = {
  'ten people get a 500 whose message holds a 403': { refuse: reply(500, WRAPPED), people: 10 },
  'ten people get 403': { refuse: reply(403), people: 10 },
  'ten people get 400': { refuse: reply(400), people: 10 },
  'ten people get 503 that names a wait': { refuse: reply(503, {}, { 'retry-after': '5' }), people: 10 },
  'ten people get an error of the service, but Ben was answered just before': {
    refuse: reply(500, BROKEN),
    ...{ people: 10, isBenServed: true },
  },
  'one person gets 500 for everything': { refuse: reply(500), people: 1, times: 30 },
  'several people get a 500 with an error of the service': several(reply(500, BROKEN)),
  'several people get 503': several(reply(503)),
  'several people get 503 with an error of the service': several(reply(503, BROKEN)),
  'several people get 500 without an error': several(reply(500)),
  'several people get a page': several((response) => response.writeHead(500).end('<html>Internal Server Error</html>')),
  'several people get nothing at all': several((response) => response.destroy()),
};

it.each(Object.entries(FAILING))('the service is left in peace as needed where %s', async (_, failing) => {
  const { refuse, people, times = 3, isBenServed, isLeftInPeace = false } = failing;
  await start(refuse);
  if (isBenServed) await askAsBen();

  await askInVain(people, times);

  expect(http.pausedMs(url, 'ben') > 0).toBe(isLeftInPeace);
  if (isLeftInPeace) await expect(askAsBen()).rejects.toMatchObject({ code: 'assistant_unreachable' });
  else expect((await askAsBen()).text).toBe('Nothing.');
});

describe('the service is left in peace', () => {
  it('where the streams of several people break off', async () => {
    await start(breakOff);

    await askInVain(4, 3);

    expect(http.pausedMs(url, 'ben')).toBeGreaterThan(0);
  });

  it('where nobody can connect, each person in their own name', async () => {
    await start(reply(500), 'off');
    url = await findClosedUrl();
    const { createConversation } = connect(url, { http, streaming: 'off' });
    const create = (person: string) => createConversation({ person, accessToken: person }).catch(() => undefined);

    for (let count = 0; count < 30; count++) await create('ana');
    const afterAna = http.pausedMs(url, 'ben');
    for (const person of ['kim', 'lee']) await create(person);

    expect(afterAna).toBe(0);
    expect(http.pausedMs(url, 'ben')).toBeGreaterThan(0);
  });
});
