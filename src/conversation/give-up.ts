import { BridgeError } from '../errors.ts';
import type { Log } from '../log.ts';
import { stopWorking } from './end-work.ts';
import { type FinishPorts, finishReply, toDone } from './finish-reply.ts';
import { backoffMs, FenceLostError, type Run } from './run.ts';
import type { Turn } from './turn.ts';

type FailurePorts = FinishPorts & { log: Log };

/** A run that fails for no reason we know is tried again this often, then the person is told. */
const MAX_FAILURES = 5;

/** A run ended in an error nobody foresaw: it is tried again later, until that is enough. */
export async function recordFailure(run: Run, error: unknown, ports: FailurePorts): Promise<void> {
  const failures = run.turn.failures + 1;
  ports.log.error({ turn: run.turn.id, failures, err: error }, 'turn failed');
  run.note({ lastError: describe(error) });
  if (failures === MAX_FAILURES) run.decide({ kind: 'notice', code: 'failed' });
  // Even the apology fails: nothing visible can be done any more, so it is left to the operators.
  if (failures > 2 * MAX_FAILURES) await abandon(run, ports);
  await run.settle({ failures, notBefore: ports.now() + backoffMs(failures) }).catch((lost: unknown) => {
    // Somebody has stopped it, or purged it, meanwhile.
    if (!(lost instanceof FenceLostError)) throw lost;
  });
}

/** The process died, again and again, while it ran this turn: it may be the turn that kills it. */
export function isPoison({ fence, settled = 0 }: Turn): boolean {
  return fence - 1 - settled >= MAX_FAILURES;
}

/** The person is told, if that does not kill the process as well. */
export async function giveUp(run: Run, ports: FailurePorts): Promise<void> {
  const { fence, settled = 0 } = run.turn;
  ports.log.error({ turn: run.turn.id, deaths: fence - 1 - settled }, 'turn given up');
  run.note({ lastError: 'the process died while it ran this turn' });
  if (fence - 1 - settled > 2 * MAX_FAILURES) {
    await abandon(run, ports);
    return run.settle();
  }
  run.decide({ kind: 'notice', code: 'failed' });
  await run.save();
  await finishReply(run, ports);
}

/** The last thing that can be done for the thread: it must not look busy. */
async function abandon(run: Run, ports: FailurePorts): Promise<void> {
  await stopWorking(run, ports).catch((error: unknown) => {
    ports.log.warn({ turn: run.turn.id, err: error }, 'status not cleared');
  });
  run.note({ ...toDone(run.turn), result: 'abandoned' });
}

/** A message may hold what somebody wrote; the kind of an error and its place in our code do not. */
function describe(error: unknown): string {
  if (error instanceof BridgeError) return error.code;
  if (!(error instanceof Error)) return 'something that is no error was thrown';
  const place = error.stack?.split('\n').find((line) => line.includes('/src/'));
  return `${error.name}${
    place
      ? ` in ${place
          .trim()
          .replace(/^at /, '')
          .replace(/file:\/\/.*\/src\//, 'src/')}`
      : ''
  }`;
}
