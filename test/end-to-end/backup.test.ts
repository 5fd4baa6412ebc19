import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toBundled } from '../app/app-process.ts';
import { startRedis } from '../app/redis-server.ts';
import { type LiveWorld, startLiveWorld } from './live-world.ts';
import type { Place } from './steps.ts';

const BACKUP = toBundled(fileURLToPath(new URL('../../scripts/backup.ts', import.meta.url)));

const ANSWER = 'It is in the plan.';

/** A store that was made from a copy, and the settings that name it. */
type Restored = { environment: Record<string, string>; close(): Promise<void> };

describe.each(['SQLite', 'Redis'])('a backup of %s', (backend) => {
  let world: LiveWorld;
  let folder: string;
  let copy: string;
  let made: Ended;
  let root: Place;
  let conversation: string | undefined;
  let askedMeanwhile = 0;

  const backUp = (file: string, over: Record<string, string> = {}) =>
    runToEnd(process.execPath, [BACKUP, file], { cwd: tmpdir(), env: { ...world.environment, ...over } });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    copy = join(folder, 'copy');
    world = await startLiveWorld({ assistant: { answer: () => ANSWER }, redis: backend === 'Redis' });
    await world.signIn('U0ANA');
    root = (await world.askAndWait('before the backup')).question;
    conversation = world.assistant.ledger.chats().at(-1)?.conversation;
    const stopAsking = keepAsking(world);
    made = await backUp(copy);
    askedMeanwhile = await stopAsking();
    await world.slack.until(() => world.assistant.ledger.chats().length > askedMeanwhile);
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('is made while people ask, and says what it holds', () => {
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(made.stdout).toMatch(
      /copy holds (the database \(schema version \d+\)|a snapshot of Redis), \d+ KB, and was ch/,
    );
    expect(askedMeanwhile).toBeGreaterThan(1);
  });

  it('can be read by its owner alone, and leaves nothing else in its folder', () => {
    expect((statSync(copy).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder)).toEqual(['copy']);
  });

  it('overwrites nothing', async () => {
    const before = readFileSync(copy);

    const { status, stderr } = await backUp(copy);

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `${copy} exists and is not overwritten. Name a new file.\n`,
    });
    expect(readFileSync(copy).equals(before)).toBe(true);
  });

  it('that cannot be made leaves no file', async () => {
    const broken = { SQLITE_PATH: damage(copy, join(folder, 'damaged')) };

    const { status, stderr } = await backUp(
      join(folder, 'none'),
      backend === 'Redis' ? { REDIS_URL: 'redis://127.0.0.1:1' } : broken,
    );

    expect(status).toBe(1);
    expect(stderr).toMatch(/^(Redis did not send a whole copy \(ECONNREFUSED\)|.* is damaged)/);
    expect(readdirSync(folder).toSorted()).toEqual(['copy', 'damaged']);
  });

  it('that was restored answers the next question, in the same conversation', async () => {
    await world.app.kill('SIGKILL');
    await world.redis?.kill();
    const restored = world.redis ? await restoreRedis(copy) : restoreSqlite(copy);
    await world.restart('SIGKILL', restored.environment);

    const { text } = await world.askAndWait('after the restore', { threadTs: root.ts });

    expect(text).toContain(ANSWER);
    // Others were open at the time of the backup, and are answered again.
    const continued = world.assistant.ledger.chats().filter(({ text }) => text?.includes('after the restore'));
    expect(continued.map((chat) => chat.conversation)).toEqual([conversation]);
    await world.app.kill('SIGTERM');
    await restored.close();
  });
});

/** Has Ana ask one question after the other. What it returns ends that, and resolves to how many she asked. */
function keepAsking(world: LiveWorld): () => Promise<number> {
  let isStopped = false;
  const asking = (async () => {
    let asked = 0;
    for (; !isStopped; asked++) {
      await world.ask(`one more: ${asked}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return asked;
  })();
  return () => {
    isStopped = true;
    return asking;
  };
}

/** A copy in which a page is not as it was. */
function damage(from: string, to: string): string {
  const bytes = readFileSync(from);
  writeFileSync(to, bytes.fill(0x5a, 4096, 8192));
  return to;
}

/** As docs/operating.md says. */
function restoreSqlite(copy: string): Restored {
  const folder = mkdtempSync(join(tmpdir(), 'restored-'));
  const path = join(folder, 'bridge.db');
  copyFileSync(copy, path);
  return { environment: { SQLITE_PATH: path }, close: async () => rmSync(folder, { recursive: true }) };
}

/** As docs/operating.md says: a Redis with an append-only file does not read the snapshot at its start. */
async function restoreRedis(copy: string): Promise<Restored> {
  const dir = mkdtempSync(join(tmpdir(), 'restored-'));
  copyFileSync(copy, join(dir, 'dump.rdb'));
  const reading = await startRedis({ dir, appendonly: 'no' });
  const client = createClient({ url: reading.url });
  await client.connect();
  await client.configSet('appendonly', 'yes');
  await expect
    .poll(async () => client.info('persistence'))
    .toMatch(/aof_rewrite_in_progress:0[\s\S]*aof_last_bgrewrite_status:ok/);
  client.destroy();
  await reading.close();
  const restored = await startRedis({ dir });
  return {
    environment: { REDIS_URL: restored.url },
    async close() {
      await restored.close();
      rmSync(dir, { recursive: true });
    },
  };
}
