import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { createPrivateAuthority } from '@assistant-bridge/sandbox/certificates.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openWakeUps } from '../../src/delivery/bullmq/wake-ups.ts';
import { createLog } from '../../src/log.ts';
import { startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { runDoctor } from '../doctor/see-doctor.ts';
import { type LiveWorld, startLiveWorld } from './live-world.ts';

const authority = createPrivateAuthority();
const identity = authority.issue(['localhost']);

let folder: string;
let redis: RedisServer;
let world: LiveWorld;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redis-tls-'));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const port = await claimPort();
  redis = await startRedis({
    'tls-port': String(port),
    'tls-cert-file': write('redis.crt', identity.cert),
    'tls-key-file': write('redis.key', identity.key),
    'tls-ca-cert-file': write('authority.pem', authority.certificate),
    'tls-auth-clients': 'no',
    requirepass: 'a-password',
  });
  world = await startLiveWorld({
    environment: {
      REDIS_URL: `rediss://:a-password@localhost:${port}`,
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    },
  });
});
afterAll(async () => {
  await world?.close();
  await redis?.close();
  rmSync(folder, { recursive: true });
});

describe('a Redis with TLS and a certificate of a private authority', () => {
  it('serves the store and the queue where the authority is trusted, and the doctor as well', async () => {
    await world.signIn('U0ANA');

    const [answer] = await world.waitForReplies(await world.ask('kept in Redis with TLS'));
    const { report } = await runDoctor(world);

    expect(answer).toContain('kept in Redis with TLS');
    expect(report).toMatch(/✓ Everything is kept in Redis at localhost:\d+/);
    expect(report).not.toMatch(/✗ .*Redis/);
  });

  it('ends the start, and is found by the doctor, by the code where it is not', async () => {
    const sentence =
      /Redis at localhost:\d+ \(REDIS_URL\) cannot be reached \(SELF_SIGNED_CERT_IN_CHAIN\)\. .* set NODE_EXTRA_CA_CERTS/;

    const { NODE_EXTRA_CA_CERTS: _, ...environment } = world.environment;

    await expect(startAppProcess(environment)).rejects.toThrow(sentence);
    const { status, report } = await runDoctor({ ...world, environment });

    expect(report).toMatch(sentence);
    expect(status).toBe(1);
  });
});

describe('a connection to a Redis with TLS', () => {
  it('names the server, as services that share an address among many need it: the store and the queue', async () => {
    const names: string[] = [];
    const server = createServer({
      ...identity,
      SNICallback(name, done) {
        names.push(name);
        done(null);
      },
    });
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `rediss://localhost:${(server.address() as AddressInfo).port}`;
    const log = createLog('silent');

    await expect(openRedisStore({ url, now: Date.now, log })).rejects.toThrow('REDIS_URL');
    const named = names.length;
    const wakeUps = openWakeUps({ url, now: Date.now, log });
    await expect.poll(() => names.length).toBeGreaterThan(named);
    await wakeUps.close();
    server.close();

    expect(named).toBeGreaterThan(0);
    expect(new Set(names)).toEqual(new Set(['localhost']));
  });
});
