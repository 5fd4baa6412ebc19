// Live worlds in which the app is killed: between any two steps of a question, and at any call that it makes.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { SaidMessage } from '@assistant-bridge/sandbox/slack/people/speak.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, expect } from 'vitest';
import { toBundled } from '../app/app-process.ts';
import type { World } from '../app/world.ts';
import { type LiveOptions, type LiveWorld, startLiveWorld } from './live-world.ts';

/** Dies at a write of its store: see startCrashing. */
const CRASHING_APP = toBundled(fileURLToPath(new URL('./crashing-app.ts', import.meta.url)));

/** What Slack sends again while the app is down: often enough to be up again in between, however busy the machine is. */
export const RETRIES = [100, 300, 1_000, 2_000, 4_000, 8_000];

const TIMEOUT_MS = 120_000;

/** For a test: several at once start processes, and the first ones a world each. */
export const KILL_TIMEOUT_MS = 180_000;

/** What somebody sees in the end. */
export type Seen = 'answer' | 'interrupted';

/** Before a call, or once it is processed. */
export type When = 'onCall' | 'onProcessed';

/** A write of the store, and what somebody sees where the app dies before and after it. */
export type Write = { write: string; before: Seen; after: Seen };

/** Has each test do its work in a world that is its own meanwhile. Most of the work is waiting: tests may do it at once. */
export type KillWorlds = { use(work: (world: LiveWorld) => Promise<void>): Promise<void> };

/** Each has an app that starts again and again: with more of them, none would be up in time on a small machine. */
const MOST_AT_ONCE = 2;

/** For a `describe`. Starts worlds as they are needed. One in which a test has failed is not used again. */
export function shareKillWorlds(options: LiveOptions = {}): KillWorlds {
  const started: LiveWorld[] = [];
  const free: LiveWorld[] = [];
  const waiting: (() => void)[] = [];
  let inUse = 0;
  afterAll(() => Promise.all(started.map((world) => world.close())));

  async function take(): Promise<LiveWorld> {
    const known = free.pop();
    if (known) return known;
    const world = await startSignedIn(options);
    started.push(world);
    return world;
  }

  return {
    async use(work) {
      if (inUse === MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
      else inUse += 1;
      try {
        const world = await take();
        await work(world);
        free.push(world);
      } finally {
        // Its place is handed on, or given back.
        const next = waiting.shift();
        if (next) next();
        else inUse -= 1;
      }
    },
  };
}

/** Ana is signed in, and the app has no work left. */
async function startSignedIn(options: LiveOptions): Promise<LiveWorld> {
  const world = await startLiveWorld({ script: CRASHING_APP, ...options, slack: { retry: RETRIES, ...options.slack } });
  await world.signIn('U0ANA', 'thread');
  await untilDone(world, readLatestTurn(world));
  await becomesIdle(world);
  world.assistant.ledger.clear();
  return world;
}

/** Has the app die at a write of its store: `3 before` is before the third from now on. */
export function startCrashing(world: World, crashAt: string): void {
  writeFileSync(toCrashFile(world), crashAt);
}

function toCrashFile({ environment }: World): string {
  return join(dirname(environment.SQLITE_PATH ?? ''), 'crash-at');
}

/** Starts one that remembers nothing of what was before. */
export async function startFresh(world: LiveWorld): Promise<void> {
  await world.restart('SIGTERM');
  await world.untilLogged('sign-in looked at');
}

/** Kills the app at the nth such call from now on. `isOther`: of another thread, by its ts, which does not count. */
export function killAtCall(
  { app, slack }: LiveWorld,
  [call, nth, when]: readonly [call: string, nth: number, when: When],
  isOther: (threadTs: unknown) => Promise<boolean> = async () => false,
): void {
  let calls = 0;
  const stop = slack.faults[when](call, async ({ arguments: { thread_ts: thread } }) => {
    if ((await isOther(thread)) || ++calls !== nth) return;
    stop();
    await app.kill('SIGKILL');
  });
}

/** Starts the killed app again and waits until the turn is done. */
export async function restartUntilDone(world: LiveWorld, turnId: string): Promise<void> {
  await world.app.ended;
  rmSync(toCrashFile(world), { force: true });
  await world.restart();
  await untilDone(world, turnId);
}

/** Starts the killed app again. Returns the replies to the question, once it is done and nothing goes on. */
export async function restartAndRead(world: LiveWorld, { channel, ts }: SaidMessage): Promise<Message[]> {
  await restartUntilDone(world, `message:T0001:${channel}:${ts}`);
  await delivered(world, ts);
  await becomesIdle(world);
  return world.repliesIn({ channel, ts });
}

/** In the end there is one reply. The question was asked of the service at most once, and for an answer exactly once. */
export async function endsInOneReply(world: LiveWorld, question: SaidMessage, text: string, sees: Seen): Promise<void> {
  const [reply, ...others] = await restartAndRead(world, question);
  const shown = reply ? world.slack.render(reply) : '';
  expect(others).toEqual([]);
  expect(shown).toContain(sees === 'answer' ? text : 'I was interrupted');
  expect(shown.includes('[Ask again]')).toBe(sees === 'interrupted');
  expect(reply?.stream?.state).not.toBe('streaming');
  const chats = world.assistant.ledger.chats().filter((chat) => chat.text === text);
  expect(chats.length).toBeLessThanOrEqual(1);
  if (sees === 'answer') expect(chats).toHaveLength(1);
}

/** Two cases of each write: where the app dies before, and after it. */
export function toCases(writes: readonly Write[]) {
  return writes.flatMap(({ write, before, after }, index) => [
    { write, at: `${index + 1} before`, sees: before },
    { write, at: `${index + 1} after`, sees: after },
  ]);
}

/** That these are all writes of a question, in order: then it is killed at all of its steps. */
export async function hasWrites(
  world: LiveWorld,
  ask: (text: string) => Promise<SaidMessage>,
  writes: readonly Write[],
): Promise<void> {
  await startFresh(world);
  const { channel, ts } = await ask('which steps are there');
  await world.find('[Ask', { channel, threadTs: ts });
  const found = () => world.app.lines.filter((line) => line.startsWith('write ')).map((line) => line.split(' ')[2]);
  await expect.poll(found).toEqual(writes.map(({ write }) => write));
  await delivered(world, ts);
  await becomesIdle(world);
}

async function untilDone(world: LiveWorld, turnId: string): Promise<void> {
  const giveUpAt = performance.now() + TIMEOUT_MS;
  while (query(world, 'SELECT stage FROM turns WHERE id = ?', turnId)?.stage !== 'done') {
    if (performance.now() > giveUpAt) {
      throw new Error(`${turnId} is not done:\n${world.app.lines.join('\n')}\n${world.slack.describe()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The id of the turn that was accepted last. */
export function readLatestTurn(world: World): string {
  return String(query(world, 'SELECT id FROM turns ORDER BY seq DESC LIMIT 1')?.id);
}

/** Reads beside the running app, as operators may. */
function query({ environment }: World, sql: string, ...values: string[]) {
  const database = new DatabaseSync(String(environment.SQLITE_PATH), { readOnly: true });
  const row = database.prepare(sql).get(...values);
  database.close();
  return row;
}

/**
 * Waits until Slack has stopped sending this message: a late retry would reach the next case's app, and be counted among
 * its writes.
 */
export async function delivered(world: World, ts: string): Promise<void> {
  const isAcknowledged = () =>
    world.slack.ledger
      .deliveries({ delivery: 'event' })
      .some(({ payload, status }) => status === 200 && (payload as { event?: { ts?: string } }).event?.ts === ts);
  await world.slack.until(isAcknowledged, { what: `${ts} to be acknowledged`, timeoutMs: TIMEOUT_MS });
}

/** A thread that goes on looking busy has to be seen as such for an hour. */
async function becomesIdle({ slack }: World): Promise<void> {
  const isIdle = () => slack.workspace.sessions.busy().length === 0;
  await slack.until(isIdle, { what: 'no thread to look busy', timeoutMs: TIMEOUT_MS });
}
