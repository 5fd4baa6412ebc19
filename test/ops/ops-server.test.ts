import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BoundedServer } from '../../src/http/bounded-server.ts';
import { startOpsServer } from '../../src/ops/ops-server.ts';

const METRICS = { read: async () => 'up 1\n', contentType: 'text/plain; version=0.0.4; charset=utf-8' };

async function start(metrics = METRICS, port = 0, host = '127.0.0.1'): Promise<BoundedServer> {
  const server = await startOpsServer({ host, port }, metrics);
  onTestFinished(() => server.close(0));
  return server;
}

describe('the port for operators', () => {
  it('serves what Prometheus reads at /metrics', async () => {
    const { port } = await start();

    const response = await fetch(`http://127.0.0.1:${port}/metrics?name[]=up`);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(METRICS.contentType);
    expect(await response.text()).toBe('up 1\n');
  });

  it('has nothing else', async () => {
    const { port } = await start();

    const elsewhere = await fetch(`http://127.0.0.1:${port}/`);
    const posted = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' });

    expect([elsewhere.status, posted.status]).toEqual([404, 405]);
  });

  it('says 500 where the figures cannot be had, and serves them again when they can', async () => {
    let isBroken = true;
    const read = async () => {
      if (isBroken) throw new Error('a secret thing');
      return 'up 1\n';
    };
    const { port } = await start({ ...METRICS, read });

    const broken = await fetch(`http://127.0.0.1:${port}/metrics`);
    isBroken = false;
    const mended = await fetch(`http://127.0.0.1:${port}/metrics`);

    expect([broken.status, await broken.text()]).toEqual([500, '']);
    expect(mended.status).toBe(200);
  });

  it('closes although somebody keeps a connection', async () => {
    const { port, close } = await start();
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');

    await close(0);

    await closed;
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });

  it('says in a sentence that it is taken', async () => {
    const { port } = await start();

    await expect(start(METRICS, port)).rejects.toThrow(
      `Port ${port} is in use by another process. End that process, or set OPS_PORT to another port, or to 0 for none.`,
    );
  });
});
