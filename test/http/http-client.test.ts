import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpClient, type HttpClient, type HttpRequest } from '../../src/http/http-client.ts';
import { NotSentError, OutcomeUnknownError } from '../../src/http/http-errors.ts';
import { findClosedUrl, type Loopback, listen } from './loopback.ts';

async function serve(listener: RequestListener): Promise<Loopback> {
  const server = await listen(listener);
  onTestFinished(server.close);
  return server;
}

/** Answers with the beginning of a body; `isClosed`: once that answer is over. */
async function serveBeginning(onBegun?: () => void) {
  const { promise: isClosed, resolve } = Promise.withResolvers<void>();
  const { url } = await serve((_, response) => {
    response.once('close', resolve).write('begun', onBegun);
  });
  return { url, isClosed };
}

/** An https address that takes connections, and does this with the first bytes of each. */
async function breakHandshakes(refuse: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => refuse(socket)));
  onTestFinished(() => void server.close());
  await once(server.listen(0, 'localhost'), 'listening');
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

function createClient(): HttpClient {
  const client = createHttpClient();
  onTestFinished(client.close);
  return client;
}

function aRequest(url: string, parts: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'POST', url, subject: 'ana', body: '{}', totalTimeoutMs: 5_000, ...parts };
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it should fail'),
    (error: unknown) => error,
  );
}

describe('an exchange', () => {
  it('carries method, path, query, headers and body there, and status, headers and body back', async () => {
    const { url } = await serve(async (request, response) => {
      const body = await text(request);
      response.writeHead(418, { 'x-back': 'yes' });
      response.end(`${request.method} ${request.url} ${request.headers['x-word']} ${body}`);
    });

    const request = aRequest(`${url}/a/b?c=%20`, { method: 'PUT', headers: { 'x-word': 'w' }, body: 'ü' });
    const response = await createClient().send(request);

    expect(response.status).toBe(418);
    expect(response.headers['x-back']).toBe('yes');
    expect(await response.text()).toBe('PUT /a/b?c=%20 w ü');
  });

  it('puts characters together that arrive in pieces', async () => {
    const bytes = Buffer.from('grün 😀');
    const { url } = await serve(async (_, response) => {
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });

    const response = await createClient().send(aRequest(url));

    expect(await text(response.chunks())).toBe('grün 😀');
  });

  it('follows no redirect and repeats nothing', async () => {
    let count = 0;
    const { url } = await serve((_, response) => {
      count += 1;
      response.writeHead(count === 1 ? 307 : 503, { location: '/elsewhere', 'retry-after': '0' }).end();
    });
    const client = createClient();

    expect((await client.send(aRequest(url))).status).toBe(307);
    expect((await client.send(aRequest(url))).status).toBe(503);
    expect(count).toBe(2);
  });
});

describe('a failure before anything was sent', () => {
  it.each([
    ['the connection is refused', findClosedUrl],
    ['the name does not exist', async () => 'http://nobody.invalid/'],
    ['the TLS handshake ends early', () => breakHandshakes((socket) => socket.end())],
    ['the TLS handshake is reset', () => breakHandshakes((socket) => socket.resetAndDestroy())],
    ['the port speaks no TLS', () => breakHandshakes((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
  ])('is NotSentError where %s', async (_, findUrl) => {
    const [client, url] = [createClient(), await findUrl()];

    expect(await failureOf(client.send(aRequest(url)))).toBeInstanceOf(NotSentError);
    expect(await failureOf(client.send(aRequest(url, { isStreamed: true })))).toBeInstanceOf(NotSentError);
  });

  it('is a plain error where the request itself is impossible: that is a bug of ours', async () => {
    const { url } = await serve((_, response) => response.end());

    const failure = await failureOf(createClient().send(aRequest(url, { headers: { authorization: 'a\nb' } })));

    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
    expect(failure).not.toBeInstanceOf(NotSentError);
  });
});

describe('a failure after something was sent', () => {
  it.each<[string, RequestListener, Partial<HttpRequest>, OutcomeUnknownError['reason']]>([
    ['no answer within the total', () => undefined, { totalTimeoutMs: 80 }, 'timeout'],
    ['no answer within the idle time', () => undefined, { idleTimeoutMs: 80 }, 'timeout'],
    ['a reset before the answer', (request) => request.socket.resetAndDestroy(), {}, 'reset'],
    ['a connection closed before the answer', (request) => request.socket.destroy(), {}, 'reset'],
  ])('is OutcomeUnknownError: %s', async (_, listener, parts, reason) => {
    const { url } = await serve(listener);

    const failure = await failureOf(createClient().send(aRequest(url, parts)));

    expect(failure).toBeInstanceOf(OutcomeUnknownError);
    expect(failure).toMatchObject({ reason, code: 'outcome_unknown' });
  });

  it.each<[string, (response: Parameters<RequestListener>[1]) => void, Partial<HttpRequest>, string]>([
    ['breaks off', (response) => response.socket?.destroy(), {}, 'reset'],
    ['falls silent', () => undefined, { idleTimeoutMs: 80 }, 'timeout'],
    ['drips for ever', drip, { idleTimeoutMs: 3_000, totalTimeoutMs: 600 }, 'timeout'],
    ['is too large', (response) => response.end('x'.repeat(2_000)), { maxBodyBytes: 1_000 }, 'too_large'],
  ])('is OutcomeUnknownError: the body %s', async (_, goOn, parts, reason) => {
    const { url } = await serve((_request, response) => response.write('begun', () => goOn(response)));
    const client = createClient();

    const whole = await failureOf(client.send(aRequest(url, parts)));
    const streamed = await client.send(aRequest(url, { ...parts, isStreamed: true }));
    const failure = await failureOf(streamed.text());

    expect(whole).toMatchObject({ reason, code: 'outcome_unknown' });
    expect(failure).toMatchObject({ reason, code: 'outcome_unknown' });
  });

  it('is none where a refusal breaks off: its status says enough', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': '7' });
      response.write('begun', () => response.socket?.destroy());
    });

    const response = await createClient().send(aRequest(url));

    expect([response.status, response.headers['retry-after'], await response.text()]).toEqual([429, '7', 'begun']);
  });

  it('bounds a body at 4 MiB where nothing else is asked for', async () => {
    const { url } = await serve((_, response) => response.end(Buffer.alloc(4 * 1024 * 1024 + 1)));

    expect(await failureOf(createClient().send(aRequest(url)))).toMatchObject({ reason: 'too_large' });
  });

  it('gives what had arrived before the body broke off', async () => {
    const { url } = await serve((_, response) => response.write('begun', () => response.socket?.destroy()));
    const response = await createClient().send(aRequest(url, { isStreamed: true }));
    const seen: string[] = [];

    const reading = (async () => {
      for await (const chunk of response.chunks()) seen.push(chunk);
    })();

    expect(await failureOf(reading)).toMatchObject({ reason: 'reset' });
    expect(seen).toEqual(['begun']);
  });
});

describe("the caller's signal", () => {
  it('ends a request that waits for its answer', async () => {
    const stop = new AbortController();
    const { url } = await serve(() => stop.abort());

    const failure = await failureOf(createClient().send(aRequest(url, { signal: stop.signal })));

    expect(failure).toMatchObject({ reason: 'aborted' });
  });

  it('ends a body, and closes the connection', async () => {
    const stop = new AbortController();
    const { url, isClosed } = await serveBeginning();
    const response = await createClient().send(aRequest(url, { signal: stop.signal, isStreamed: true }));

    const reading = failureOf(response.text());
    stop.abort();

    expect(await reading).toMatchObject({ reason: 'aborted' });
    await isClosed;
  });

  it('ends one that is read as a whole, in the middle of it', async () => {
    const stop = new AbortController();
    const { url, isClosed } = await serveBeginning(() => stop.abort());

    const failure = await failureOf(createClient().send(aRequest(url, { signal: stop.signal })));

    expect(failure).toMatchObject({ reason: 'aborted' });
    await isClosed;
  });

  it('sends nothing where it was given too late', async () => {
    let count = 0;
    const { url } = await serve((_, response) => {
      count += 1;
      response.end();
    });

    const failure = await failureOf(createClient().send(aRequest(url, { signal: AbortSignal.abort() })));

    expect(failure).toMatchObject({ reason: 'aborted' });
    expect(count).toBe(0);
  });
});

describe('connections', () => {
  it('are kept for the next request', async () => {
    const ports = new Set<number | undefined>();
    const { url } = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    const client = createClient();

    for (let count = 0; count < 10; count += 1) await (await client.send(aRequest(url))).text();

    // The next request may start before the connection of the last is handed back.
    expect(ports.size).toBeLessThan(5);
  });

  it('are given up where a reader stops before the end', async () => {
    const { url, isClosed } = await serveBeginning();
    const response = await createClient().send(aRequest(url, { isStreamed: true }));

    for await (const _ of response.chunks()) break;

    await isClosed;
    expect(response.status).toBe(200);
  });
});

function drip(response: Parameters<RequestListener>[1]): void {
  const timer = setInterval(() => response.write('.'), 20);
  response.once('close', () => clearInterval(timer));
}
