import { BridgeError } from '../errors.ts';
import { stopWorking } from './end-work.ts';
import { finishReply, toDone } from './finish-reply.ts';
import { backoffMs, FenceLostError, type Run } from './run.ts';
import type { Turn } from './turn.ts';

/** After this many unexpected failures or deaths the person gets a notice. */
export const MAX_FAILURES = 5;

/** Handles an unexpected error: the turn is retried later, up to a limit. */
export async function recordFailure(run: Run, error: unknown): Promise<void> {
  const failures = run.turn.failures + 1;
  run.ports.log.error({ turn: run.turn.id, failures, err: error }, 'turn failed');
  run.note({ lastError: describe(error) });
  if (failures === MAX_FAILURES) run.decide({ kind: 'notice', code: 'failed' });
  // Posting the notice fails too: operators have to act.
  if (failures > 2 * MAX_FAILURES) await abandon(run);
  await run.pause(backoffMs(failures), { failures }).catch((lost: unknown) => {
    // The turn was stopped or purged meanwhile.
    if (!(lost instanceof FenceLostError)) throw lost;
  });
}

/** How often the process died while it ran this turn, which may be what kills it. */
export function countDeaths({ fence, settled = 0 }: Turn): number {
  return fence - 1 - settled;
}

/** Tells the person, unless telling them has also killed the process repeatedly. */
export async function giveUp(run: Run): Promise<void> {
  const { id, settled = 0 } = run.turn;
  const deaths = countDeaths(run.turn);
  run.ports.log.error({ turn: id, deaths }, 'turn given up');
  run.note({ lastError: 'the process died while it ran this turn' });
  if (deaths > 2 * MAX_FAILURES) {
    await abandon(run);
    return run.settle();
  }
  run.decide({ kind: 'notice', code: 'failed' });
  // Undoes the `settled` of `decide`: further deaths must count.
  await run.save({ settled });
  await finishReply(run);
}

/** At least clears the thread's working status. */
async function abandon(run: Run): Promise<void> {
  await stopWorking(run).catch((error: unknown) => {
    run.ports.log.warn({ turn: run.turn.id, err: error }, 'status not cleared');
  });
  run.note({ ...toDone(run.turn), result: 'abandoned' });
}

/** Only a code, or the name and source location: an error's message may contain people's text. */
function describe(error: unknown): string {
  if (error instanceof BridgeError) return error.code;
  if (!(error instanceof Error)) return 'the thrown value is not an Error';
  const place = error.stack?.split('\n').find((line) => line.includes('/src/'));
  const shown = place?.replace(/^\s*at /, '').replace(/file:\/\/.*\/src\//, 'src/');
  return shown ? `${error.name} in ${shown}` : error.name;
}
