import { createServer } from 'node:net';
import { createPrivateAuthority, type ServerIdentity } from '@assistant-bridge/sandbox/certificates.ts';
import {
  type HttpProxy,
  type HttpProxyOptions,
  startHttpProxy,
  startTlsFront,
} from '@assistant-bridge/sandbox/http-proxy.ts';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectionFault, createConnectionLog } from '../../src/http/connection-fault.ts';
import { createHttpClient, type HttpClient } from '../../src/http/http-client.ts';
import { NotSentError } from '../../src/http/http-errors.ts';
import type { ProxySettings } from '../../src/http/outbound-agent.ts';
import { createLog } from '../../src/log.ts';
import { findClosedUrl, listen } from './loopback.ts';

const NAME = 'service.test.internal';
const CREDENTIALS = 'bridge:p@ss/wörd';
const USER = 'bridge:p%40ss%2Fw%C3%B6rd';

let identity: ServerIdentity;

beforeAll(() => {
  identity = createPrivateAuthority().issue([NAME, '127.0.0.1']);
});

async function keep<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
  const opened = await opening;
  onTestFinished(opened.close);
  return opened;
}

/** The service, which is not called but through the proxy, and what it got. */
async function startService() {
  const headers: object[] = [];
  const { url } = await keep(
    listen((request, response) => {
      headers.push(request.headers);
      response.end(`${request.method} ${request.url}`);
    }),
  );
  return { url, headers, port: Number(new URL(url).port) };
}

function startProxy(port: number, options: Partial<HttpProxyOptions> = {}): Promise<HttpProxy> {
  return keep(startHttpProxy({ ports: { [NAME]: port }, credentials: CREDENTIALS, ...options }));
}

function createClient(proxies: ProxySettings, faults: ConnectionFault[] = []): HttpClient {
  const http = createHttpClient({ proxies, onFault: (_origin, fault) => void faults.push(fault) });
  onTestFinished(http.close);
  return http;
}

function ask(http: HttpClient, url: string) {
  return http.send({ method: 'POST', url, subject: 'ana', body: '{}', totalTimeoutMs: 8_000 });
}

async function findFault(proxies: ProxySettings, url: string): Promise<ConnectionFault | undefined> {
  const faults: ConnectionFault[] = [];
  await expect(ask(createClient(proxies, faults), url)).rejects.toThrow(NotSentError);
  return faults[0];
}

describe('a proxy', () => {
  it('is not asked for http addresses', async () => {
    const proxy = await startProxy(1);

    await findFault({ HTTPS_PROXY: `http://${proxy.host}` }, `http://${NAME}/`);

    expect(proxy.asked).toEqual([]);
  });

  it('connects us to https addresses', async () => {
    const service = await startService();
    const front = await keep(startTlsFront(identity, { [NAME]: service.url }));
    const proxy = await startProxy(front.port);

    // The handshake goes through, and ends with a certificate that this process does not know.
    const fault = await findFault({ HTTPS_PROXY: `http://${USER}@${proxy.host}` }, `https://${NAME}/`);

    expect(proxy.asked).toEqual([`${NAME}:443`]);
    expect(fault).toMatchObject({ kind: 'certificate', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    expect(fault?.advice).toContain('NODE_EXTRA_CA_CERTS');
  });

  it.each(['127.0.0.1', 'localhost'])('is not asked for %s, which would be its own machine', async (host) => {
    const service = await startService();
    const proxy = await startProxy(service.port);

    const http = createClient({ HTTPS_PROXY: `http://${proxy.host}` });
    const response = await ask(http, `http://${host}:${service.port}/`);

    expect(response.status).toBe(200);
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    [NAME, false],
    [`${NAME}:443`, false],
    [`${NAME}:8443`, true],
    ['.test.internal', false],
    ['*.test.internal', false],
    ['other.internal, test.internal', false],
    ['*', false],
    ['internal.test', true],
    ['10.0.0.0/8', true],
  ])('and NO_PROXY=%s: it is asked for service.test.internal: %s', async (NO_PROXY, isAsked) => {
    const proxy = await startProxy(1);
    proxy.refuse(403);

    const fault = await findFault({ HTTPS_PROXY: `http://${USER}@${proxy.host}`, NO_PROXY }, `https://${NAME}/`);

    expect(fault?.kind).toBe(isAsked ? 'proxy' : 'network');
    expect(proxy.asked).toHaveLength(isAsked ? 1 : 0);
  });

  it.each([
    [403, /does not allow this host\. Allow the host there, or add it to NO_PROXY/],
    [407, /asks for a user and a password, or refuses those given: in HTTPS_PROXY they come before the host/],
    [502, /cannot reach the host\. See its log/],
  ])('that answers %i is named, and nothing was sent', async (status, advice) => {
    const service = await startService();
    const proxy = await startProxy(service.port, { credentials: status === 407 ? 'other:word' : CREDENTIALS });
    proxy.refuse(status);

    const fault = await findFault({ HTTPS_PROXY: `http://${USER}@${proxy.host}` }, `https://${NAME}/`);

    expect(fault).toMatchObject({ kind: 'proxy', code: String(status), proxy: proxy.host });
    expect(fault?.advice).toMatch(advice);
    expect(service.headers).toEqual([]);
  });

  it('that is not there is named, not the service', async () => {
    const gone = await findClosedUrl();

    const fault = await findFault({ HTTPS_PROXY: gone }, `https://${NAME}/`);

    expect(fault).toMatchObject({ kind: 'proxy', code: 'ECONNREFUSED', proxy: new URL(gone).host });
    expect(fault?.advice).toContain('Check the address in HTTPS_PROXY');
  });

  it('that accepts connections and never answers is named within five seconds', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };

    const fault = await findFault({ HTTPS_PROXY: `http://127.0.0.1:${port}` }, `https://${NAME}/`);

    expect(fault).toMatchObject({ kind: 'proxy', code: 'ETIMEDOUT' });
  });

  it('with a certificate of an unknown authority is named with the code', async () => {
    const proxy = await startProxy(1, { identity });

    const fault = await findFault({ HTTPS_PROXY: `https://${proxy.host}` }, `https://${NAME}/`);

    expect(fault).toMatchObject({ kind: 'proxy', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    expect(fault?.advice).toContain('NODE_EXTRA_CA_CERTS');
  });
});

describe('a connection that is not made', () => {
  it('is logged with its code and what to do, once a minute, and without the password of the proxy', async () => {
    const lines: string[] = [];
    const proxy = await startProxy(1, { credentials: 'other:word' });
    const onFault = createConnectionLog(createLog('debug', { write: (line: string) => void lines.push(line) }));
    const http = createHttpClient({ proxies: { HTTPS_PROXY: `http://${USER}@${proxy.host}` }, onFault });
    onTestFinished(http.close);

    const error: unknown = await ask(http, `https://${NAME}/`).catch((cause: unknown) => cause);
    await expect(ask(http, `https://${NAME}/`)).rejects.toThrow(NotSentError);
    createLog('debug', { write: (line: string) => void lines.push(line) }).warn({ err: error }, 'the error itself');

    expect(lines.filter((line) => line.includes('"msg":"no connection"'))).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ origin: `https://${NAME}`, code: '407', proxy: proxy.host });
    expect(lines.join()).not.toMatch(/p@ss|p%40ss|YnJpZGdl/);
  });

  it('is named with the code where there is no proxy', async () => {
    const fault = await findFault({}, `https://${NAME}/`);

    expect(fault).toMatchObject({ kind: 'network', code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) });
    expect(fault?.advice).toContain('set HTTPS_PROXY');
  });
});
