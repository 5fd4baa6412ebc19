import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, runToEnd, startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { startAppProcess, toBundled } from '../app/app-process.ts';
import { startWorld, type World } from '../app/world.ts';

const MAIN = toBundled(fileURLToPath(new URL('../../src/main.ts', import.meta.url)));

let world: World;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

/** Starts the app where it cannot start; what it wrote, once it has ended. */
function start(changes: Record<string, string>): Promise<Ended> {
  return runToEnd(process.execPath, [MAIN], { cwd: world.folder, env: { ...world.environment, ...changes } });
}

describe('a start that fails says so in a line, and nothing else', () => {
  it('where the port is in use', async () => {
    const other = createServer().listen(0);
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;

    const ended = await start({ PORT: String(port) });

    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr: `Port ${port} is in use by another process. End that process, or set PORT to another port.\n`,
    });
    other.close();
  });

  it('where another process keeps the database, after one line that it waits', async () => {
    const path = join(world.folder, 'in-use.db');
    const holder = await openSqliteStore({ path, lockWaitMs: 0, now: Date.now });

    const ended = await start({ SQLITE_PATH: path, DRAIN_SECONDS: '0' });

    expect(ended.status).toBe(1);
    expect(ended.stdout.trim().split('\n').map(parseLine)).toEqual([
      expect.objectContaining({ upToSeconds: 10, msg: 'waiting for the other process to end' }),
    ]);
    expect(ended.stderr).toMatch(/^Another process uses the database .* SQLite is for one process: .*\n$/);
    await holder.close();
  });
});

describe('a start while Slack is down', () => {
  const probe = async (path: string) => {
    const response = await fetch(new URL(path, world.publicUrl)).catch(() => undefined);
    return response && { status: response.status, body: await response.text() };
  };

  it('waits, says so on /ready and in the log, and starts once Slack answers', async () => {
    world.slack.faults.always('auth.test', { kind: 'status', status: 503 });
    const starting = startAppProcess(world.environment);
    await expect.poll(() => probe('/ready')).toEqual({ status: 503, body: '{"status":"slack_unavailable"}' });
    expect(await probe('/health')).toEqual({ status: 200, body: '{"status":"ok"}' });
    expect(await probe('/slack/events')).toMatchObject({ status: 503 });

    world.slack.faults.clear();
    const app = await starting;
    expect(app.lines).toContainEqual(
      expect.stringMatching(/Slack cannot be reached at .*"msg":"start waits for slack"/),
    );
    expect(await probe('/ready')).toEqual({ status: 200, body: '{"status":"ready"}' });
    await app.kill('SIGTERM');
  });
});

it('a start that is told to stop ends at once, and orderly', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const asked = once(silent, 'request');
  const { port } = silent.address() as AddressInfo;
  const env = { ...world.environment, SLACK_API_URL: `http://127.0.0.1:${port}/api/` };
  const child = startChild(process.execPath, [MAIN], { cwd: world.folder, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await asked;

  child.kill('SIGTERM');

  expect(await ended).toEqual([0, null]);
  silent.closeAllConnections();
  silent.close();
});

function parseLine(line: string): unknown {
  return JSON.parse(line);
}
