import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../src/config.ts';
import { BridgeError, StoreUnavailableError } from '../../src/errors.ts';
import { readSightings } from '../../src/slack/intake-watch.ts';
import { error, type Finding, ok, type Section, warning } from './finding.ts';
import { describeSilence, lookAtArrivals } from './look-at-arrivals.ts';
import { describeNone, lookAtInstallations } from './look-at-installations.ts';
import { lookAtKeys } from './look-at-keys.ts';
import { lookAtTurns } from './look-at-turns.ts';
import { openRedisReader } from './redis-reader.ts';
import { openSqliteReader } from './sqlite-reader.ts';
import type { StoreReader } from './store-reader.ts';

/** The store, and what is kept in it. `isAppReady`: an app on this machine has a store that can be written. */
export async function lookAtStore(config: Config, isAppReady: Promise<boolean>): Promise<Section[]> {
  const { REDIS_URL, SQLITE_PATH } = config;
  if (!REDIS_URL && !existsSync(SQLITE_PATH)) return lookAtNothing(config, await isAppReady);
  try {
    const store = REDIS_URL ? await openRedisReader(REDIS_URL) : openSqliteReader(SQLITE_PATH);
    if ('level' in store) return [{ title: 'Store', findings: [store] }];
    try {
      return await lookInto(store, config, await isAppReady);
    } finally {
      await store.close();
    }
  } catch (cause) {
    return [{ title: 'Store', findings: [error(toSentence(cause))] }];
  }
}

async function lookInto(store: StoreReader, config: Config, isAppReady: boolean): Promise<Section[]> {
  return [
    { title: 'Store', findings: store.findings },
    { title: 'Encryption keys', findings: await lookAtKeys(config.ENCRYPTION_KEYS, store.sealedRecords()) },
    {
      title: 'Requests from Slack',
      findings: lookAtArrivals(config, await readSightings(store.once), { now: Date.now(), isAppReady }),
    },
    { title: 'Questions', findings: await lookAtTurns(store, Date.now()) },
    {
      title: 'Installations',
      findings: config.SLACK_BOT_TOKEN ? [] : await lookAtInstallations(config, store.installations),
    },
  ];
}

/** The app makes the file at its start: where one is ready, it is another file than this. */
function lookAtNothing({ SQLITE_PATH, PORT, PUBLIC_URL, SLACK_BOT_TOKEN }: Config, isAppReady: boolean): Section[] {
  const path = resolve(SQLITE_PATH);
  if (isAppReady) return [{ title: 'Store', findings: [describeElsewhere(path, PORT)] }];
  return [
    { title: 'Store', findings: [ok('There is no database yet. The first start makes it.')] },
    { title: 'Requests from Slack', findings: [describeSilence(PUBLIC_URL, false)] },
    { title: 'Installations', findings: SLACK_BOT_TOKEN ? [] : [describeNone(PUBLIC_URL)] },
  ];
}

function describeElsewhere(path: string, port: number): Finding {
  return warning(
    `There is no database at ${path} (SQLITE_PATH), but the app on port ${port} is ready: it keeps its records elsewhere, and they were not looked at. Look in the same container or on the same machine, in the same folder, and with the same SQLITE_PATH or REDIS_URL as it has.`,
  );
}

function toSentence(cause: unknown): string {
  if (cause instanceof StoreUnavailableError)
    return `The store cannot be read: ${cause.message}. Look again in a moment.`;
  if (cause instanceof BridgeError) return cause.message;
  return `The store cannot be read (${cause instanceof Error ? cause.name : 'no error'}): another release may have written it.`;
}
