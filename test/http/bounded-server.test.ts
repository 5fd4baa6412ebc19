import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Bounds, type Closure, startBoundedServer } from '../../src/http/bounded-server.ts';
import { hangUp, speak } from './loopback.ts';

const BOUNDS: Bounds = { max: 20, full: 10, idleMs: 30_000 };

afterEach(hangUp);

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server with what it was asked, and why it closed connections. */
async function open(handle: Handle, bounds: Partial<Bounds> = {}) {
  const asked: string[] = [];
  const closed: Closure[] = [];
  const server = await startBoundedServer({
    address: { host: '127.0.0.1', port: 0 },
    setting: { port: 'PORT', host: 'HOST', alternative: 'another port' },
    bounds: { ...BOUNDS, ...bounds },
    handle(request, response) {
      asked.push(`${request.method} ${request.url}`);
      // What is broken off is.
      Promise.resolve(handle(request, response)).catch(() => undefined);
    },
    onClosed: (why) => void closed.push(why),
  });
  onTestFinished(() => server.close(0));
  return { ...server, asked, closed };
}

const GET = 'GET /x HTTP/1.1\r\nhost: here\r\n\r\n';

/** Answers at once. */
const ok: Handle = (_, response) => response.end('ok');

/** Never answers. */
const hold: Handle = () => undefined;

describe('one request at a time on each connection', () => {
  const heads = [
    ['ordinary', GET],
    ['without a host', 'GET /x HTTP/1.1\r\n\r\n'],
    ['of HTTP/1.0', 'GET /x HTTP/1.0\r\nconnection: keep-alive\r\n\r\n'],
    ['with a body', 'POST /x HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\nhi'],
    ['in chunks', 'POST /x HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'],
    ['that expect something', 'GET /x HTTP/1.1\r\nhost: here\r\nexpect: a-lot\r\n\r\n'],
    ['that expect to go on', 'GET /x HTTP/1.1\r\nhost: here\r\nexpect: 100-continue\r\n\r\n'],
  ] as const;

  it.each(heads)('2,000 requests at once are one, and the connection is closed: %s', async (_, head) => {
    const { port, asked, closed } = await open(hold);

    const { socket } = speak(port, head.repeat(2_000));

    await expect.poll(() => socket.closed).toBe(true);
    expect(asked).toHaveLength(1);
    expect(closed).toEqual(['pipelined']);
  });

  it('has no more than a hundred headers, which take more memory than their bytes', async () => {
    const { port, asked } = await open(ok);

    const { answer } = speak(port, `GET /x HTTP/1.1\r\nhost: here\r\n${'a:1\r\n'.repeat(1_000)}\r\n`);

    await expect.poll(answer).toContain('431');
    expect(asked).toEqual([]);
  });

  it.each([
    'GET /x HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
    'CONNECT here:1 HTTP/1.1\r\nhost: here:1\r\n\r\n',
  ])('one for another protocol gets an ordinary answer, and what follows it none: %s', async (head) => {
    const { port, asked } = await open(ok);

    const { answer } = speak(port, head.repeat(2_000));

    await expect.poll(answer).toContain('200 OK');
    expect(asked).toHaveLength(1);
  });

  it('a second one that comes later, before the answer, closes the connection', async () => {
    const { port, asked, closed } = await open(hold);
    const { socket } = speak(port, GET);
    await expect.poll(() => asked.length).toBe(1);

    socket.write(GET);

    await expect.poll(() => socket.closed).toBe(true);
    expect(asked).toHaveLength(1);
    expect(closed).toEqual(['pipelined']);
  });

  it('others on the same server are answered meanwhile', async () => {
    const { port } = await open((request, response) => (request.url === '/x' ? undefined : response.end('ok')));
    for (let count = 0; count < 5; count++) speak(port, GET.repeat(2_000));

    expect(await (await fetch(`http://127.0.0.1:${port}/other`)).text()).toBe('ok');
  });

  it('a client that keeps its connection is served on it, whatever the size of request and answer', async () => {
    const { port, closed } = await open(async (request, response) => {
      for await (const _ of request);
      response.end('x'.repeat(request.url === '/large' ? 3_000_000 : 10));
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const used = new Set<Socket>();

    for (let count = 0; count < 40; count++) {
      const path = count % 20 === 0 ? '/large' : '/small';
      const length = await new Promise<number>((resolve, reject) => {
        const sent = request({ port, path, method: count % 3 === 0 ? 'POST' : 'GET', agent }, async (response) => {
          let size = 0;
          for await (const piece of response) size += piece.length;
          resolve(size);
        });
        sent.on('socket', (socket) => used.add(socket)).on('error', reject);
        sent.end(count % 3 === 0 ? 'y'.repeat(50_000) : undefined);
      });
      expect(length).toBe(path === '/large' ? 3_000_000 : 10);
    }
    agent.destroy();

    expect(used.size).toBe(1);
    expect(closed).toEqual([]);
  });

  it('a client that is refused before its body is sent is served again on the same connection', async () => {
    const { port, asked } = await open(ok);
    const { socket, answer } = speak(port, 'POST /x HTTP/1.1\r\nhost: here\r\ncontent-length: 4\r\n\r\nhi');
    await expect.poll(answer).toContain('ok');

    socket.write(`ho${GET}`);

    await expect.poll(() => asked).toEqual(['POST /x', 'GET /x']);
    await expect.poll(() => answer().split('200 OK').length).toBe(3);
  });
});

it('an answer that nobody reads is given up, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const unread = (request: IncomingMessage, response: ServerResponse) => {
    request.socket.once('close', () => closed.resolve());
    response.end('x'.repeat(20_000_000));
  };
  const { port } = await open(unread, { idleMs: 200 });

  speak(port, GET).socket.pause();

  await closed.promise;
});

describe('too many connections', () => {
  /** Sends what it is given on ten connections, one after the other, which is as many as may be open. */
  async function fill(port: number, text: string): Promise<Socket[]> {
    const opened: Socket[] = [];
    for (let count = 0; count < BOUNDS.full; count++) {
      const { socket } = speak(port, text);
      await once(socket, 'connect');
      opened.push(socket);
    }
    return opened;
  }

  const HALF = 'POST /x HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n';

  it('make the one give way that has sent no complete request for longest', async () => {
    const { port, asked, closed } = await open(async (request, response) => {
      for await (const _ of request);
      response.end('ok');
    });
    const [oldest, ...others] = await fill(port, HALF);
    await expect.poll(() => asked.length).toBe(BOUNDS.full);

    const { answer } = speak(port, `${HALF}hi`);

    await expect.poll(answer).toContain('ok');
    await expect.poll(() => oldest?.closed).toBe(true);
    expect(others.filter((socket) => socket.closed)).toEqual([]);
    expect(closed).toEqual(['full']);
  });

  it('make the one give way that does not read its answer', async () => {
    const { port, asked } = await open(({ method }, response) => {
      if (method === 'GET') response.end('x'.repeat(20_000_000));
    });
    const reader = speak(port, GET);
    reader.socket.pause();
    await expect.poll(() => asked.length).toBe(1);

    await fill(port, HALF);

    reader.socket.resume();
    await expect.poll(() => reader.socket.closed).toBe(true);
    expect(reader.answer().length).toBeLessThan(20_000_000);
  });

  it('never take the answer from a request that is complete', async () => {
    const answers: (() => void)[] = [];
    const { port } = await open((request, response) => {
      if (request.method === 'GET') answers.push(() => response.end('late'));
    });
    const complete = speak(port, GET);
    await expect.poll(() => answers.length).toBe(1);

    const [oldest] = await fill(port, HALF);
    await expect.poll(() => oldest?.closed).toBe(true);
    answers[0]?.();

    await expect.poll(complete.answer).toContain('late');
  });
});

it('a stop ends the connections with the answers under way, and takes no later request on them', async () => {
  const answers: (() => void)[] = [];
  const { port, close } = await open((_, response) => answers.push(() => response.end('late')));
  const [begun, half] = [speak(port, GET), speak(port, GET.slice(0, 10))];
  await expect.poll(() => answers.length).toBe(1);

  const stopped = close(600_000);
  half.socket.write(GET.slice(10));
  await expect.poll(() => answers.length).toBe(2);
  for (const answer of answers) answer();

  await stopped;
  for (const { answer } of [begun, half]) await expect.poll(answer).toMatch(/connection: close.*late$/is);
});
