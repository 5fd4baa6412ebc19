import { TransientError } from '../errors.ts';
import { toThreadKey, withoutWords } from './question.ts';
import { backoffMs, FenceLostError, type Run } from './run.ts';
import type { Turn } from './turn.ts';
import { toWait } from './waits.ts';

/** With their waits about an hour: then Slack clears the status itself (https://docs.slack.dev/ai/agent-sessions). */
const MAX_ATTEMPTS = 70;

/** Retry interval while another turn of the thread is being answered. */
const RETRY_MS = 5_000;

/**
 * Clears the thread's working status for a turn. If Slack refuses for now, a separate turn in a lane of its own does it
 * later: that survives a crash and does not block the thread.
 */
export async function stopWorking(run: Run): Promise<void> {
  const { turn, ports } = run;
  try {
    await ports.reply.stopWorking(turn);
  } catch (error) {
    if (!(error instanceof TransientError)) throw error;
    const later = toLater(run, error.retryAfterMs || backoffMs(1));
    await ports.turns.accept(later);
    ports.wake(later.lane);
  }
  run.note({ idleAt: turn.fence });
}

/** Runs a turn that `stopWorking` created. */
export async function endWork(run: Run): Promise<void> {
  const { turn } = run;
  const waitMs = await tryToEnd(run);
  // Count attempts instead of using the age, which is wrong if the clock is set forward.
  if (waitMs > 0 && turn.fence < MAX_ATTEMPTS) await run.pause(waitMs);
  else await run.settle({ stage: 'done', notBefore: undefined, result: 'idle' });
}

/** This turn asks nothing, so it has no asker and is not among anybody's questions. */
function toLater({ turn: { id, fence, question, language }, ports }: Run, waitMs: number): Turn {
  const lane = `idle:${id}:${fence}`;
  return {
    ...{ schema: 1, id: lane, lane, stage: 'waiting', endsWork: true, fence: 0, failures: 0, parts: [] },
    ...{ acceptedAt: ports.now(), notBefore: toWait(waitMs, ports.waitClock()), language },
    question: { ...withoutWords(question), asker: { ...question.asker, user: '' }, fingerprint: undefined },
  };
}

/** The wait before the next attempt, in ms; 0: nothing left to do. */
async function tryToEnd({ turn, ports: { turns, reply, log } }: Run): Promise<number> {
  const { asker, channel, threadTs = '' } = turn.question;
  try {
    const current = await turns.head(toThreadKey({ team: asker.team, channel, threadTs }));
    if (current?.stage === 'asking') return RETRY_MS;
    await reply.stopWorking(turn);
    return 0;
  } catch (error) {
    if (error instanceof FenceLostError) throw error;
    if (error instanceof TransientError) return error.retryAfterMs || backoffMs(turn.fence);
    log.warn({ turn: turn.id, err: error }, 'status not cleared');
    return 0;
  }
}
