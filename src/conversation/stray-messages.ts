import { TransientError } from '../errors.ts';
import { retry } from '../retry.ts';
import { allParts, type PartPorts, partAt } from './reply-parts.ts';
import { FIND_AFTER_MS } from './resume-turn.ts';
import { backoffMs, type Run } from './run.ts';

const REMOVE_ATTEMPTS = 5;

const LOOKS = 5;

/**
 * A later run has begun while we placed messages. Those that it did not find and adopt are one too many. Throws where one
 * of them could not be removed, after all others were.
 */
export async function removeStrays(run: Run, ports: PartPorts): Promise<void> {
  const failures: unknown[] = [];
  for (const [index, { ts, channel }] of allParts(run.turn)) {
    try {
      if (!ts || !(await isStray(run.turn.id, index, ts, ports))) continue;
      await removeInsistently(() => ports.reply.remove(channel, ts, run.turn.question.workspace));
      ports.tell({ kind: 'stray_removed' });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Looks until the later run knows where its own message is, or has ended without one. */
async function isStray(turnId: string, index: number, ts: string, ports: PartPorts): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const turn = await ports.turns.get(turnId).catch(orUnknown);
    const theirs = turn && partAt(turn, index)?.ts;
    if (theirs) return theirs !== ts;
    if (turn?.stage === 'done') return true;
    await new Promise((resolve) => setTimeout(resolve, FIND_AFTER_MS));
  }
  return false;
}

/** A store that is away for a moment is looked at again. */
function orUnknown(error: unknown): undefined {
  if (!(error instanceof TransientError)) throw error;
}

/** Nobody else would try again: the turn is somebody else's by now. */
function removeInsistently(remove: () => Promise<void>): Promise<void> {
  return retry(remove, (error, failures) => {
    if (!(error instanceof TransientError) || failures === REMOVE_ATTEMPTS) return undefined;
    return error.retryAfterMs || backoffMs(failures);
  });
}
