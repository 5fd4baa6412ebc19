import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { lookUntil } from './look-until.ts';
import { reconcile, type Tally } from './reconcile.ts';

/** Past this nothing that is still open will end: the sweeper has been by several times. */
const OPEN_TIMEOUT_MS = 90_000;

/**
 * A writer that lost its fence looks every three seconds, five times, whether it made a message too many; a status in doubt
 * is cleared after 15 s.
 */
const STRAY_TIMEOUT_MS = 30_000;

/** Each look is at everything that was said. */
const LOOK_EVERY_MS = 500;

/** What comes too late to be seen is not a duplicate to anybody; what comes within this is. */
const QUIET_MS = 2_000;

/** Waits until every acknowledged message has its terminal reply, and what is too many is gone; or long enough. */
export async function settle({ journal, world }: Cluster, openTimeoutMs = OPEN_TIMEOUT_MS): Promise<Tally> {
  await lookUntil(() => journal.open().length === 0, openTimeoutMs);
  await sleep(QUIET_MS);
  const { messages, sessions } = world.slack.workspace;
  const look = () => reconcile(journal, messages.all(), sessions.busy());
  const isTidy = ({ duplicates, strays, unfinished }: Tally) => [...duplicates, ...strays, ...unfinished].length === 0;
  await lookUntil(() => isTidy(look()), STRAY_TIMEOUT_MS, LOOK_EVERY_MS);
  return look();
}
