import { TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import { toThreadKey, withoutWords } from './question.ts';
import type { Reply } from './reply.ts';
import { backoffMs, type Clocks, FenceLostError, type Run } from './run.ts';
import type { TurnStore } from './stores.ts';
import type { Turn } from './turn.ts';
import { toWait } from './waits.ts';

type EndWorkPorts = Clocks & {
  turns: Pick<TurnStore, 'accept' | 'head'>;
  reply: Pick<Reply, 'stopWorking'>;
  wake(lane: string): void;
};

/** With their waits about an hour: then Slack clears the status itself (https://docs.slack.dev/ai/agent-sessions). */
const MAX_ATTEMPTS = 70;

/** Retry interval while another turn of the thread is being answered. */
const RETRY_MS = 5_000;

/**
 * Clears the thread's working status for a turn. If Slack refuses for now, a separate turn in a lane of its own does it
 * later: that survives a crash and does not block the thread.
 */
export async function stopWorking(run: Run, ports: EndWorkPorts): Promise<void> {
  const { turn } = run;
  try {
    await ports.reply.stopWorking(turn);
  } catch (error) {
    if (!(error instanceof TransientError)) throw error;
    const later = toLater(turn, error.retryAfterMs || backoffMs(1), ports);
    await ports.turns.accept(later);
    ports.wake(later.lane);
  }
  run.note({ idleAt: turn.fence });
}

/** Runs a turn that `stopWorking` created. */
export async function endWork(run: Run, ports: EndWorkPorts & { log: Log }): Promise<void> {
  const { turn } = run;
  const waitMs = await tryToEnd(turn, ports);
  // Count attempts instead of using the age, which is wrong if the clock is set forward.
  if (waitMs > 0 && turn.fence < MAX_ATTEMPTS) await run.pause(waitMs);
  else await run.settle({ stage: 'done', notBefore: undefined, result: 'idle' });
}

/** This turn asks nothing, so it has no asker and is not among anybody's questions. */
function toLater({ id, fence, question, language }: Turn, waitMs: number, { now, waitClock }: Clocks): Turn {
  const lane = `idle:${id}:${fence}`;
  return {
    ...{ schema: 1, id: lane, lane, stage: 'waiting', endsWork: true, fence: 0, failures: 0, parts: [] },
    ...{ acceptedAt: now(), notBefore: toWait(waitMs, waitClock()), language },
    question: { ...withoutWords(question), asker: { ...question.asker, user: '' }, fingerprint: undefined },
  };
}

/** The wait before the next attempt, in ms; 0: nothing left to do. */
async function tryToEnd(turn: Turn, { turns, reply, log }: EndWorkPorts & { log: Log }): Promise<number> {
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
