import { StoreUnavailableError } from '../errors.ts';
import { withinTime } from '../time-limit.ts';
import { type Question, toThreadKey } from './question.ts';
import type { TurnStore } from './stores.ts';
import type { ThreadChange, Turn } from './turn.ts';

export type AcceptPorts = {
  turns: Pick<TurnStore, 'accept'>;
  wake(lane: string): Promise<void>;
  now(): number;
};

/** Slack waits 3 s for an acknowledgement: report a failure while it still listens. */
const ACCEPT_TIMEOUT_MS = 2_000;

const WAKE_TIMEOUT_MS = 500;

/**
 * Writes a question to the store, once per turn id, and wakes its lane. Acknowledge to Slack only after this resolves.
 * Throws StoreUnavailableError where it was not written in time.
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
  // A known turn that never began may have lost its wake-up together with the process that accepted it.
  if (result !== 'duplicate') await within(WAKE_TIMEOUT_MS, ports.wake(lane)).catch(leaveToSweeper);
  return result === 'new' ? 'new' : 'duplicate';
}

/** Engaged before the first answer, so that a quick follow-up without a mention is also answered. */
function toEngagement(lane: string, { asker, workspace, threadTs }: Question): ThreadChange[] {
  return threadTs ? [{ kind: 'engage', thread: lane, user: asker.user, workspace }] : [];
}

/** A command has no thread until its root is posted; until then it has a lane of its own. */
function toLane(id: string, { asker, channel, threadTs }: Question): string {
  return threadTs ? toThreadKey({ team: asker.team, channel, threadTs }) : id;
}

/** The turn is stored, so it is accepted; the sweeper recovers lost wake-ups. */
function leaveToSweeper(): void {}

function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return withinTime(timeoutMs, work, () => {
    throw new StoreUnavailableError(`no answer within ${timeoutMs} ms`);
  });
}
