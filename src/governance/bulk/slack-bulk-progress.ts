// The message that shows how far a bulk change is, and where it is looked for who stops it.
import { setTimeout as sleep } from 'node:timers/promises';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { type DirectMessage, type DirectPorts, openDirectMessage } from '../review/review-direct-message.ts';
import type { TimeZones } from '../shell/respond.ts';
import { buildBulkProgress } from './bulk-messages.ts';
import type { BulkChange, BulkRecords } from './bulk-records.ts';
import type { BulkProgress } from './run-bulk.ts';

type TellPorts = DirectPorts & TimeZones & { records: BulkRecords; now: () => number };

/** Often enough to see it move, and a fraction of the 50 edits a minute that Slack lets all of us make. */
const EVERY_MS = 3_000;

export type Told = { bulk: BulkChange; direct: DirectMessage | undefined; timeZone: string };

/** Where Slack does not let us write, the work goes on all the same. */
export async function tellBegin(bulk: BulkChange, ports: TellPorts): Promise<Told> {
  const timeZone = await ports.timeZone(bulk.by);
  try {
    const direct = await openDirectMessage(bulk.by, ports);
    if (bulk.messageTs !== undefined) return { bulk, direct, timeZone };
    const progress = { counts: {}, total: bulk.total, isStopping: false };
    const messageTs = await direct.post(buildBulkProgress(bulk, progress, { now: ports.now(), timeZone }));
    const known = { ...bulk, messageTs };
    await ports.records.save(known);
    return { bulk: known, direct, timeZone };
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'bulk change not shown');
    return { bulk, direct: undefined, timeZone };
  }
}

export type Watched = { read: () => BulkProgress; isStopping: boolean };

/** Shows how far it is, and looks for who stops it, until the returned function is called. */
export function startTelling(
  { bulk, direct, timeZone }: Told,
  watched: Watched,
  ports: TellPorts,
): () => Promise<void> {
  const end = new AbortController();

  async function look(): Promise<void> {
    const stoppedBy = await ports.records.stoppedBy(bulk.id).catch(() => undefined);
    watched.isStopping ||= stoppedBy !== undefined;
    const shown = { ...watched.read(), isStopping: watched.isStopping };
    if (bulk.messageTs === undefined) return;
    await direct?.touch(bulk.messageTs, buildBulkProgress(bulk, shown, { now: ports.now(), timeZone }));
  }

  async function tell(): Promise<void> {
    await look();
    while (await sleep(EVERY_MS, true, { signal: end.signal }).catch(() => false)) await look();
  }

  const telling = tell();
  return async () => {
    end.abort();
    await telling;
  };
}
