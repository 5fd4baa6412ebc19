import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { BridgeError, StoreUnavailableError } from '../errors.ts';
import type { HttpClient } from '../http/http-client.ts';
import { readSightings } from '../slack/intake-watch.ts';
import { error, type Finding, ok, type Section, type Stage, warning } from './finding.ts';
import { lookAtArrivals } from './look-at-arrivals.ts';
import { lookAtAudit } from './look-at-audit.ts';
import { lookAtDisk } from './look-at-disk.ts';
import { describeNone, lookAtInstallations } from './look-at-installations.ts';
import { lookAtKeys } from './look-at-keys.ts';
import { lookAtTurns } from './look-at-turns.ts';
import { openReader } from './open-reader.ts';
import { readSealed, type StoreReader } from './store-reader.ts';

/** `isAppReady`: an app on this machine has a store that can be written. */
type Looking = { http: HttpClient; isAppReady: Promise<boolean>; stage: Stage };

/** The store, and what is kept in it. */
export async function lookAtStore(config: Config, looking: Looking): Promise<Section[]> {
  if (config.REDIS_URL) return lookAtRecords(config, looking);
  const [sections, room] = await Promise.all([lookAtRecords(config, looking), lookAtDisk(config.SQLITE_PATH)]);
  return sections.map((one) => (one.title === 'Store' ? { ...one, findings: [...one.findings, room] } : one));
}

async function lookAtRecords(config: Config, looking: Looking): Promise<Section[]> {
  const { REDIS_URL, SQLITE_PATH } = config;
  if (!REDIS_URL && !existsSync(SQLITE_PATH)) return lookAtNothing(config, looking);
  try {
    const store = await openReader(config);
    if ('level' in store) return [{ title: 'Store', findings: [store] }];
    try {
      return await lookInto(store, config, looking);
    } finally {
      await store.close();
    }
  } catch (cause) {
    return [{ title: 'Store', findings: [error(toSentence(cause))] }];
  }
}

async function lookInto(store: StoreReader, config: Config, looking: Looking): Promise<Section[]> {
  const { stage } = looking;
  const isAppReady = await looking.isAppReady;
  return [
    { title: 'Store', findings: store.findings },
    { title: 'Encryption keys', findings: await lookAtKeys(config.ENCRYPTION_KEYS, readSealed(store)) },
    { title: 'Audit log', findings: await lookAtAudit(store.audit, config.AUDIT_KEY) },
    {
      title: 'Requests from Slack',
      findings: lookAtArrivals(config, await readSightings(store.once), { now: Date.now(), isAppReady, stage }),
    },
    { title: 'Questions', findings: await lookAtTurns(store, Date.now()) },
    {
      title: 'Installations',
      findings: config.SLACK_BOT_TOKEN ? [] : await lookAtInstallations(config, store.installations, looking.http),
    },
  ];
}

/** The app makes the file at its start: where one is ready, it is another file than this. */
async function lookAtNothing(config: Config, { isAppReady, stage }: Looking): Promise<Section[]> {
  const { SQLITE_PATH, PORT, PUBLIC_URL, SLACK_BOT_TOKEN } = config;
  const view = { now: Date.now(), isAppReady: false, stage };
  const path = resolve(SQLITE_PATH);
  if (await isAppReady) return [{ title: 'Store', findings: [describeElsewhere(path, PORT)] }];
  return [
    { title: 'Store', findings: [ok('There is no database yet. The first start makes it.')] },
    { title: 'Requests from Slack', findings: lookAtArrivals(config, {}, view) },
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
