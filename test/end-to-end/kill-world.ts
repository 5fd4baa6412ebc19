import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { type AppProcess, startAppProcess, toBundled } from '../app/app-process.ts';
import { signIn } from '../app/sign-in.ts';
import { startWorld, type World, type WorldOptions } from '../app/world.ts';

export const CHANNEL = 'C0GENERAL';

/** For kills at a write of the store: see startCrashing. */
export const CRASHING_APP = toBundled(fileURLToPath(new URL('./crashing-app.ts', import.meta.url)));

/** What Slack sends again while the app is down: often enough to be up again in between, however busy the machine is. */
const RETRIES = [100, 300, 1_000, 2_000, 4_000, 8_000];

const TIMEOUT_MS = 120_000;

/** For a test: several at once start processes, and the first ones a world each. */
export const KILL_TIMEOUT_MS = 180_000;

export type KillWorld = World & {
  /** Every process of the app that was started in it and not ended in an orderly way. */
  readonly apps: AppProcess[];
  /** What is started as the app; src/main.ts where there is none. */
  readonly script: string | undefined;
};

/** `environment`: what the app gets besides. */
type KillWorldOptions = WorldOptions & { environment?: Record<string, string>; script?: string };

/** Has each test do its work in a world that is its own meanwhile. Most of the work is waiting: tests may do it at once. */
export type KillWorlds = {
  use(work: (world: KillWorld) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** Each has an app that starts again and again: with more of them, none would be up in time on a small machine. */
const MOST_AT_ONCE = 2;

/** Starts worlds as they are needed. One in which a test has failed is not used again. */
export function createKillWorlds(options: KillWorldOptions = {}): KillWorlds {
  const started: KillWorld[] = [];
  const free: KillWorld[] = [];
  const waiting: (() => void)[] = [];
  let inUse = 0;

  async function take(): Promise<KillWorld> {
    const known = free.pop();
    if (known) return known;
    const world = await startRunning(options);
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
    async close() {
      await Promise.all(started.map(stopApps));
      await Promise.all(started.map((world) => world.close()));
    },
  };
}

async function stopApps({ apps }: KillWorld): Promise<void> {
  await Promise.all(apps.splice(0).map((app) => app.kill('SIGTERM')));
}

/** A world in which Ana has signed in, and whose app is started and killed by the tests. */
export async function startKillWorld(options: KillWorldOptions = {}): Promise<KillWorld> {
  const world = await startSignedIn(options);
  await stopApps(world);
  world.assistant.ledger.clear();
  return world;
}

/** The same on SQLite, with the app still running: it has no work left. */
async function startRunning(options: KillWorldOptions): Promise<KillWorld> {
  const world = await startSignedIn(options);
  await untilDone(world, readLatestTurn(world), await startVictim(world));
  await becomesIdle(world);
  world.assistant.ledger.clear();
  return world;
}

async function startSignedIn({ environment, script, ...options }: KillWorldOptions): Promise<KillWorld> {
  const started = await startWorld({ ...options, slack: { retry: RETRIES, ...options.slack } });
  Object.assign(started.environment, { CRASH_FILE: toCrashFile(started), ...environment });
  const world: KillWorld = { ...started, apps: [], script };
  await startApp(world);
  await world.slack.as('U0ANA').say(CHANNEL, `${world.slack.mention} sign me in`);
  await signIn(world, 'U0ANA', 'thread');
  await world.slack.until(() => world.assistant.ledger.chats().length === 1, { what: 'the first answer' });
  return world;
}

async function startApp(world: KillWorld): Promise<AppProcess> {
  rmSync(toCrashFile(world), { force: true });
  const app = await startAppProcess(world.environment, world.script);
  world.apps.push(app);
  return app;
}

function toCrashFile({ folder }: World): string {
  return join(folder, 'crash-at');
}

/** An app for the test to kill: the one that runs in this world, where there is one. */
export async function startVictim(world: KillWorld): Promise<AppProcess> {
  return world.apps.at(-1) ?? startApp(world);
}

/** One that remembers nothing of what was before. CRASHING_APP says when it runs questions. */
export async function startFreshVictim(world: KillWorld): Promise<AppProcess> {
  await stopApps(world);
  const app = await startApp(world);
  const isRunning = () => world.script !== CRASHING_APP || app.lines.includes('questions run');
  await world.slack.until(isRunning, { what: 'questions to run' });
  return app;
}

/** One that dies at a write of its store: `3 before` is before the third from now on. Only of CRASHING_APP. */
export async function startCrashing(world: KillWorld, crashAt: string): Promise<AppProcess> {
  const app = await startVictim(world);
  writeFileSync(toCrashFile(world), crashAt);
  return app;
}

/** Starts the killed app again and waits until the turn is done. */
export async function restartUntilDone(world: KillWorld, turnId: string): Promise<void> {
  world.apps.length = 0;
  await untilDone(world, turnId, await startApp(world));
}

async function untilDone(world: KillWorld, turnId: string, app: AppProcess): Promise<void> {
  const giveUpAt = performance.now() + TIMEOUT_MS;
  while (readStage(world, turnId) !== 'done') {
    if (performance.now() > giveUpAt) {
      throw new Error(`${turnId} is not done:\n${app.lines.join('\n')}\n${world.slack.describe()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function readStage(world: World, turnId: string): string | undefined {
  const row = query(world, 'SELECT stage FROM turns WHERE id = ?', turnId);
  return row && String(row.stage);
}

/** The id of the turn that was accepted last. */
export function readLatestTurn(world: World): string {
  return String(query(world, 'SELECT id FROM turns ORDER BY seq DESC LIMIT 1')?.id);
}

/** Reads beside the running app, as operators may. */
function query(world: World, sql: string, ...values: string[]) {
  const database = new DatabaseSync(String(world.environment.SQLITE_PATH), { readOnly: true });
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
export async function becomesIdle(world: World): Promise<void> {
  const { sessions } = world.slack.workspace;
  await world.slack.until(() => sessions.busy().length === 0, {
    what: 'no thread to look busy',
    timeoutMs: TIMEOUT_MS,
  });
}

/** What the app has written into a thread for all to see. */
export function replies(world: World, threadTs: string): Message[] {
  const isOurs = ({ botId, ts, ephemeralFor }: Message) => botId && !ephemeralFor && ts !== threadTs;
  return world.slack.as('U0ANA').sees(CHANNEL, threadTs).filter(isOurs);
}
