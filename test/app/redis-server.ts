// A real Redis of its own on a free port, with the settings that the app needs. It can be killed, frozen and restarted.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { REDIS, requireProgram } from '@assistant-bridge/sandbox/system-programs.ts';

export type RedisServer = {
  /** For REDIS_URL. Stays the same over restarts. */
  readonly url: string;
  /** Sends a signal: SIGSTOP freezes it, SIGCONT lets it go on. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once, as a power cut would, without saving what is not on disk. */
  kill(): Promise<void>;
  /** Starts it again on the same port and the same files. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** As of the app: see app-process.ts. */
const START_TIMEOUT_MS = 120_000;

/** `settings` are lines of redis.conf, such as `{ 'maxmemory-policy': 'allkeys-lru' }`, over those that the app needs. */
export async function startRedis(settings: Record<string, string> = {}): Promise<RedisServer> {
  const port = await claimPort();
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const options = {
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    'maxmemory-policy': 'noeviction',
    ...settings,
  };
  const login = settings.requirepass === undefined ? '' : `:${settings.requirepass}@`;
  const args = Object.entries({ port: String(port), ...options }).flatMap(([name, value]) => [`--${name}`, value]);
  let server = await start(args, port);
  return {
    url: `redis://${login}127.0.0.1:${port}`,
    signal: (signal) => void server.kill(signal),
    kill: () => end(server),
    async restart() {
      await end(server);
      server = await start(args, port);
    },
    async close() {
      await end(server);
      // Again where a Sentinel still writes there.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function start(args: string[], port: number): Promise<ChildProcess> {
  const server = startChild(requireProgram(REDIS), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  server.stdout?.on('data', (chunk) => printed.push(String(chunk)));
  server.on('error', (error) => printed.push(`redis-server cannot be started: ${error.message}`));
  const givenUpAt = performance.now() + START_TIMEOUT_MS;
  while (!(await answers(port))) {
    if (server.exitCode !== null || server.pid === undefined || performance.now() > givenUpAt) {
      server.kill('SIGKILL');
      throw new Error(`redis-server did not start:\n${printed.join('')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return server;
}

/** It answers LOADING while it reads its files. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      // Where it wants a password, it is there.
      resolve(/^(\+PONG|-NOAUTH)/.test(data.toString()));
    });
    socket.once('error', () => resolve(false));
    socket.setTimeout(500, () => {
      socket.destroy();
      resolve(false);
    });
  });
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
