import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REPLICA_FLAGS } from '../scripts/deploy/sizes.ts';
import { type AppProcess, startAppProcess } from './app/app-process.ts';
import { startRedis } from './app/redis-server.ts';
import { startWorld, type World } from './app/world.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let world: World;
let folder: string;

beforeEach(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'compiled-'));
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/** Has Node say of each file whether its cache had it. */
async function start(environment: Record<string, string> = {}): Promise<AppProcess> {
  const caching = { NODE_COMPILE_CACHE: folder, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  return startAppProcess({ ...world.environment, ...caching, ...environment }, MAIN);
}

/** The files of src/ of which Node said so. */
const sources = (app: AppProcess, said: string) =>
  [...app.lines.join('\n').matchAll(new RegExp(`${said} StrippedTypeScript file:\\S+?/src/(\\S+?\\.ts)`, 'g'))].map(
    ([, file]) => file,
  );

const compiled = (app: AppProcess) => sources(app, 'no transpile cache for');

const taken = (app: AppProcess) => sources(app, 'retrieving transpile cache for');

async function untilWritten(app: AppProcess): Promise<void> {
  const hasBegun = () => sources(app, 'writing cache for').length > 0;
  await world.slack.until(hasBegun, { what: 'the compiled code' });
  // Answered only after that: it is all written in one go.
  await fetch(`${world.publicUrl}/health`);
}

describe('the compiled code', () => {
  it('is there for the next start after a start that was killed', async () => {
    const first = await start();
    await untilWritten(first);
    await first.kill('SIGKILL');

    const second = await start();
    await second.kill('SIGKILL');

    expect(taken(first)).toEqual([]);
    expect(taken(second)).toContain('app.ts');
    expect(compiled(second)).toEqual([]);
  });

  it('is complete after --compile, on either store, and without a configuration', async () => {
    const { status } = await runToEnd(process.execPath, [...REPLICA_FLAGS, MAIN, '--compile'], {
      env: { NODE_COMPILE_CACHE: folder },
      cwd: folder,
    });
    expect(status).toBe(0);
    const redis = await startRedis();

    const onSqlite = await start();
    await onSqlite.kill('SIGKILL');
    const onRedis = await start({ REDIS_URL: redis.url });
    await onRedis.kill('SIGKILL');

    await redis.close();
    expect([...compiled(onSqlite), ...compiled(onRedis)]).toEqual([]);
    expect(taken(onSqlite)).toContain('backend/embedded-backend.ts');
    expect(taken(onRedis)).toContain('backend/shared-backend.ts');
  });

  it('may have no place to be kept at', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');

    const app = await start({ NODE_COMPILE_CACHE: join(file, 'compiled') });
    const ready = await fetch(`${world.publicUrl}/ready`);
    await world.slack.until(() => app.lines.some((line) => line.includes('sign-in looked at')), { what: 'the rest' });
    await app.kill('SIGKILL');

    expect(ready.status).toBe(200);
    expect(existsSync(join(folder, 'compiled'))).toBe(false);
  });
});
