import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import type { World } from '../../test/app/world.ts';
import { REPLICA_FLAGS } from '../deploy/sizes.ts';
import { PLAIN_TOKEN, signInAskers } from './bench-world.ts';
import type { Cores } from './cores.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { type MeasuredRedis, startMeasuredRedis } from './measured-redis.ts';

export type ContenderName = 'floor' | 'plain Bolt' | 'on SQLite' | 'on Redis';

/** A program that answers the questions: the app on a store, or a bot that it is compared with. */
export type Contender = {
  name: ContenderName;
  eventsUrl: string;
  process: MeasuredProcess;
  redis?: MeasuredRedis;
  stop(): Promise<void>;
};

type Place = { world: World; cores: Cores | undefined };

const APP = new URL('../../src/main.ts', import.meta.url);

/** Starts all of them, one after the other, so that no start disturbs another. */
export async function* startContenders(place: Place): AsyncGenerator<Contender> {
  const environment = { ASSISTANT_TOKEN: PLAIN_TOKEN };
  yield start(place, { name: 'floor', script: new URL('./bare-bot.ts', import.meta.url), environment });
  yield start(place, { name: 'plain Bolt', script: new URL('./plain-bot.ts', import.meta.url), environment });
  yield startOnSqlite(place);
  yield startOnRedis(place);
}

async function startOnSqlite(place: Place): Promise<Contender> {
  const SQLITE_PATH = join(place.world.folder, `${randomUUID()}.db`);
  await signInAskers(place.world, { path: SQLITE_PATH });
  return start(place, {
    name: 'on SQLite',
    script: APP,
    flags: REPLICA_FLAGS,
    environment: { SQLITE_PATH, ...SWITCHES },
  });
}

async function startOnRedis(place: Place): Promise<Contender> {
  const redis = await startMeasuredRedis(place.cores?.standIns);
  await signInAskers(place.world, { redisUrl: redis.url });
  const environment = { REDIS_URL: redis.url, ...SWITCHES };
  const contender = await start(place, { name: 'on Redis', script: APP, flags: REPLICA_FLAGS, environment });
  return { ...contender, redis, stop: () => contender.stop().then(redis.stop) };
}

/** The app asks as the bots do, without streaming, and the stand-in of Slack has no rate limits. */
const SWITCHES = { ASSISTANT_STREAMING: 'off', SLACK_BUDGETS: 'off', OPS_PORT: '0' };

type Start = { name: ContenderName; script: URL; flags?: string[]; environment: Record<string, string> };

async function start({ world, cores }: Place, { name, script, flags, environment }: Start): Promise<Contender> {
  const port = await claimPort();
  const PUBLIC_URL = `http://127.0.0.1:${port}`;
  world.identityProvider.registerRedirectUri(`${PUBLIC_URL}/link/account/callback`);
  const process = await startMeasured({
    name,
    script,
    flags,
    environment: { ...world.environment, PORT: String(port), PUBLIC_URL, ...environment },
    core: cores?.measured,
  });
  return { name, eventsUrl: `${PUBLIC_URL}/slack/events`, process, stop: process.stop };
}

/** Adds the name of the contender and its last output to an error. */
export async function withLastWords<T>({ name, process }: Contender, work: Promise<T>): Promise<T> {
  return work.catch((cause: Error) => {
    throw new Error(`${name}: ${cause.message}\n${process.lastWords()}`, { cause });
  });
}
