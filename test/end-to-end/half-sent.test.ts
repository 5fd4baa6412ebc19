// Requests that anybody can begin and nobody completes: they take little memory, and Slack is heard all the same.
// That they are closed after a while is in faults.test.ts.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const MB = 1024 * 1024;

let world: LiveWorld;
let sockets: Socket[];

// A process of its own each: what one has taken and given back would be room for the next.
beforeEach(async () => {
  world = await openLiveWorld({ slack: { retry: 'none' } });
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await world.app.kill('SIGKILL');
});

/** Resident memory of the app, in bytes. */
function readRss(): number {
  const status = readFileSync(`/proc/${world.app.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

type Half = { path?: string; type?: string; size?: number; pieces?: string[] };

/** A request with the time of now, of which the last byte is held back. Resolves with what it gets, or when it is sent. */
async function sendHalf({ path = '/slack/events', type = 'application/json', size = MB, pieces }: Half) {
  const { port } = new URL(world.publicUrl);
  const socket = connect(Number(port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket
    .on('error', () => undefined)
    .on('data', (data) => {
      answer += data;
    });
  const length = pieces ? 'transfer-encoding: chunked' : `content-length: ${size}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: bridge\r\norigin: ${world.publicUrl}\r\ncontent-type: ${type}\r\n${length}\r\n` +
      `x-slack-request-timestamp: ${Math.floor(Date.now() / 1000)}\r\nx-slack-signature: v0=${'0'.repeat(64)}\r\n\r\n`,
  );
  const sent = new Promise<void>((resolve) => {
    const body = pieces?.join('') ?? 'x'.repeat(size - 1);
    socket.write(body, () => resolve());
  });
  await Promise.race([sent, closed]);
  return { socket, closed, read: () => answer };
}

/** What an honest request of Slack gets. */
async function deliver(size = 8_000) {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'c', padding: 'y'.repeat(size) });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', world.slack.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${digest}`,
  };
  const { status } = await fetch(`${world.publicUrl}/slack/events`, { method: 'POST', headers, body });
  return status;
}

async function expectHeard(): Promise<void> {
  for (const size of [8_000, 300_000]) {
    // Slack sends again what was refused.
    await expect.poll(() => deliver(size)).toBe(200);
  }
  await expect.poll(async () => (await fetch(`${world.publicUrl}/health`)).status).toBe(200);
}

describe('requests whose last byte is held back', () => {
  it('take less than 60 MB together, and Slack is answered meanwhile', async () => {
    await deliver();
    const before = readRss();

    const halves = await Promise.all(Array.from({ length: 300 }, () => sendHalf({})));
    await expectHeard();
    const grown = readRss() - before;

    expect(grown).toBeLessThan(60 * MB);
    const refused = halves.filter(({ read }) => read().startsWith('HTTP/1.1 503'));
    // How many depends on the machine: the answer may be lost with its connection, and one that is closed makes room.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.read()).toMatch(/^retry-after: 1\r$/im);
    await Promise.all(refused.map(({ closed }) => closed));
  });

  it('take no more in pieces of one byte', async () => {
    await deliver();
    const before = readRss();
    const pieces = Array.from({ length: 300_000 }, () => '1\r\nx\r\n');

    await Promise.all(Array.from({ length: 4 }, () => sendHalf({ pieces })));
    await expectHeard();

    expect(readRss() - before).toBeLessThan(60 * MB);
  });
});

it('connections of such requests keep nobody out by their number, and are bounded for the sign-in as well', async () => {
  await Promise.all(Array.from({ length: 2_500 }, () => sendHalf({ size: 100 })));
  await expectHeard();
  const form = { path: '/link/start', type: 'application/x-www-form-urlencoded', size: 20_000 };
  const { closed, read } = await sendHalf(form);
  await closed;

  expect(read()).toContain('HTTP/1.1 400');
  await expectHeard();
});
