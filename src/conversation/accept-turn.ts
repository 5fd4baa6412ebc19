import { StoreUnavailableError } from '../errors.ts';
import { withinTime } from '../time-limit.ts';
import { type Question, toThreadKey } from './question.ts';
import type { ThreadChange, TurnStore } from './stores.ts';
import type { Turn } from './turn.ts';

export type AcceptPorts = {
  turns: Pick<TurnStore, 'accept'>;
  wake(lane: string): Promise<void>;
  now(): number;
};

/** Slack waits 3 s for an acknowledgement; past 2 s we say that it failed while it still listens. */
const ACCEPT_TIMEOUT_MS = 2_000;

const WAKE_TIMEOUT_MS = 500;

/**
 * Writes a question to the store, once per turn id, and wakes its lane. Only when this resolves may Slack get its
 * acknowledgement. Throws StoreUnavailableError: it was not written in time.
 */
export async function acceptTurn(id: string, question: Question, ports: AcceptPorts): Promise<'new' | 'duplicate'> {
  const lane = toLane(id, question);
  const turn: Turn = {
    schema: 1,
    id,
    lane,
    question,
    stage: 'accepted',
    acceptedAt: ports.now(),
    fence: 0,
    failures: 0,
    parts: [],
  };
  const result = await within(ACCEPT_TIMEOUT_MS, ports.turns.accept(turn, toEngagement(lane, question)));
  // One that is there and was never begun may have lost its wake-up, and the process that accepted it.
  if (result !== 'duplicate') await within(WAKE_TIMEOUT_MS, ports.wake(lane)).catch(leftToSweeper);
  return result === 'new' ? 'new' : 'duplicate';
}

/** Engaged before the first answer, so that a quick follow-up without a mention counts as well. */
function toEngagement(lane: string, { asker, workspace, threadTs }: Question): ThreadChange[] {
  return threadTs ? [{ kind: 'engage', thread: lane, user: asker.user, workspace }] : [];
}

/** A command has no thread until its root is placed; until then it is alone in a lane of its own. */
function toLane(id: string, { asker, channel, threadTs }: Question): string {
  return threadTs ? toThreadKey({ team: asker.team, channel, threadTs }) : id;
}

/** It is written, and so it is accepted: who looks after lost wake-ups will find it. */
function leftToSweeper(): void {}

function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return withinTime(timeoutMs, work, () => {
    throw new StoreUnavailableError(`no answer within ${timeoutMs} ms`);
  });
}
