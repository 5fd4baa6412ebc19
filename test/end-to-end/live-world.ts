// The world with the real app running in it, alone or in several processes, on SQLite or on a Redis of its own.
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { startWorld, type World, type WorldOptions } from '../app/world.ts';
import { type Steps, toSteps } from './steps.ts';

export { CHANNEL } from './steps.ts';

type Settings = Record<string, string>;

export type LiveOptions = WorldOptions & {
  /** What the app gets besides. */
  environment?: Settings;
  /** A Redis as its store, with settings of its own perhaps; otherwise it has SQLite. */
  redis?: boolean | Settings;
  /** Whether it has a port for `/metrics`. */
  hasFigures?: boolean;
  /** What is started as the app; src/main.ts where there is none. */
  script?: string;
  /** What has to be there before the app starts. */
  prepare?(world: World): Promise<unknown>;
};

/** `environment`: with all that the app gets. */
export type LiveWorld = World &
  Steps & {
    app: AppProcess;
    redis: RedisServer | undefined;
    /** Ends the app, and starts it anew on the same store. */
    restart(signal?: NodeJS.Signals, changes?: Settings): Promise<AppProcess>;
    /** Starts one more process of it on the same store, at a port of its own. */
    startOther(changes?: Settings): Promise<AppProcess & { url: string }>;
    /** The lines with these words that the app has logged. */
    logged(words: string): string[];
    /** The same, once there is one. */
    untilLogged(words: string): Promise<string[]>;
    /** What `/metrics` says. */
    figures(): Promise<string>;
  };

/** One world for a whole file or `describe`, which is there once the tests run. */
export function shareWorld<Shared extends LiveWorld>(start: (world: Shared) => Promise<unknown>): Shared {
  const world = {} as Shared;
  beforeAll(() => start(world));
  afterAll(() => world.close());
  return world;
}

/**
 * The same, in which these people have signed in. Each test begins with empty ledgers, without faults and windows, and with
 * nothing held.
 */
export function shareLiveWorld({
  signedIn = ['U0ANA'],
  ...options
}: LiveOptions & { signedIn?: SandboxUser[] } = {}): LiveWorld {
  const world = shareWorld<LiveWorld>(async (shared) => {
    await startLiveWorld(options, shared);
    for (const user of signedIn) await shared.signIn(user);
  });
  beforeEach(async () => {
    for (const { ledger, faults } of [world.assistant, world.slack]) {
      ledger.clear();
      faults.clear();
    }
    world.assistant.release();
    await world.closeWindows();
  });
  return world;
}

/** A world for one test, which ends with it. */
export async function openLiveWorld(options: LiveOptions = {}, onEnd = onTestFinished): Promise<LiveWorld> {
  const world = await startLiveWorld(options);
  onEnd(() => world.close());
  return world;
}

/** `live`: what becomes the world. */
export async function startLiveWorld(options: LiveOptions = {}, live = {} as LiveWorld): Promise<LiveWorld> {
  const { redis: asked = false, hasFigures = false, script, prepare, ...worldOptions } = options;
  const redis = asked ? await startRedis(asked === true ? {} : asked) : undefined;
  const world = await startWorld(worldOptions);
  const { slack, environment } = world;
  const opsPort = hasFigures ? String(await claimPort()) : '0';
  Object.assign(environment, { OPS_PORT: opsPort }, redis && { REDIS_URL: redis.url }, options.environment);
  await prepare?.(world);
  const apps: AppProcess[] = [];
  const start = async (changes: Settings = {}) => {
    const app = await startAppProcess({ ...environment, ...changes }, script);
    apps.push(app);
    return app;
  };
  Object.assign(live, world, toSteps(world), {
    redis,
    app: await start(),
    async restart(signal: NodeJS.Signals = 'SIGKILL', changes: Settings = {}) {
      await live.app.kill(signal);
      live.app = await start(changes);
      return live.app;
    },
    async startOther(changes: Settings = {}) {
      const port = String(await claimPort());
      const other = await start({ PORT: port, OPS_PORT: '0', ...changes });
      return Object.assign(other, { url: `http://127.0.0.1:${port}` });
    },
    logged: (words: string) => live.app.lines.filter((line) => line.includes(words)),
    async untilLogged(words: string) {
      await slack.until(() => live.logged(words).length > 0, { what: `“${words}” in the log` });
      return live.logged(words);
    },
    figures: async () => (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text(),
    async close() {
      await Promise.all(apps.map((app) => app.kill('SIGTERM')));
      await world.close();
      await redis?.close();
    },
  });
  // Until then the look at the sign-in could take a fault that a test asks for, or be counted among its requests.
  await live.untilLogged('sign-in looked at');
  return live;
}
