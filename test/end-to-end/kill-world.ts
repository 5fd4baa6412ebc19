import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { type AppProcess, startAppProcess } from '../sandbox/app-process.ts';
import { signIn } from '../sandbox/sign-in.ts';
import type { Message } from '../sandbox/slack/records.ts';
import { startWorld, type World, type WorldOptions } from '../sandbox/world.ts';

export const CHANNEL = 'C0GENERAL';

const CRASHING_APP = fileURLToPath(new URL('./crashing-app.ts', import.meta.url));

/** What Slack sends again while the app is down: often enough to be up again in between. */
const RETRIES = [100, 300, 1_000, 2_000, 4_000];

/**
 * A world in which Ana has signed in, and whose app is started and killed by the tests. `environment`: what the app is to
 * know besides.
 */
export async function startKillWorld({
  environment = {},
  ...options
}: WorldOptions & { environment?: Record<string, string> } = {}): Promise<World> {
  const world = await startWorld({ ...options, slack: { retry: RETRIES, ...options.slack } });
  Object.assign(world.environment, environment);
  const app = await startAppProcess(world.environment);
  await world.slack.as('U0ANA').say(CHANNEL, `${world.slack.mention} sign me in`);
  await signIn(world, 'U0ANA', 'thread');
  await world.slack.until(() => world.assistant.ledger.chats().length === 1, { what: 'the first answer' });
  await app.kill('SIGTERM');
  world.assistant.ledger.clear();
  return world;
}

/** Starts the app so that it dies at a write of its store. */
export function startCrashing(world: World, crashAt = '0 never'): Promise<AppProcess> {
  return startAppProcess({ ...world.environment, CRASH_AT: crashAt }, CRASHING_APP);
}

/** Restarts the app and waits until the turn is done. */
export async function restartUntilDone(world: World, turnId: string): Promise<AppProcess> {
  const app = await startAppProcess(world.environment);
  const giveUpAt = performance.now() + 15_000;
  while (readStage(world, turnId) !== 'done') {
    if (performance.now() > giveUpAt) {
      await app.kill('SIGKILL');
      throw new Error(`${turnId} is not done:\n${app.lines.join('\n')}\n${world.slack.describe()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return app;
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
  await world.slack.until(isAcknowledged, { what: `${ts} to be acknowledged`, timeoutMs: 15_000 });
}

/** A thread that goes on looking busy has to be seen as such for an hour. */
export async function becomesIdle(world: World): Promise<void> {
  const { sessions } = world.slack.workspace;
  await world.slack.until(() => sessions.busy().length === 0, { what: 'no thread to look busy', timeoutMs: 15_000 });
}

/** What the app has written into a thread for all to see. */
export function replies(world: World, threadTs: string): Message[] {
  const isOurs = ({ botId, ts, ephemeralFor }: Message) => botId && !ephemeralFor && ts !== threadTs;
  return world.slack.as('U0ANA').sees(CHANNEL, threadTs).filter(isOurs);
}
