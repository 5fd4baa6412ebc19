import { StoreUnavailableError } from '../errors.ts';
import { withinTime } from '../time-limit.ts';
import { type Person, type Question, toThreadKey } from './question.ts';
import type { TurnStore } from './stores.ts';
import { type ThreadChange, type Turn, toRunId } from './turn.ts';

export type AcceptPorts = {
  turns: Pick<TurnStore, 'accept'>;
  /** Reserves a place in this process for the turn. Undefined: no place is free. See Dispatcher. */
  reserve(lane: string, asker: Person): PlaceForTurn | undefined;
  wake(lane: string): void;
  now(): number;
};

/** Call `begin` or `release`, once. `holder`: holds the lane. `begin`: runs the lane, starting with this turn. */
export type PlaceForTurn = { holder: string; begin(turn: Turn): void; release(): void };

/** Slack waits 3 s for an acknowledgement: report a failure while it still listens. */
const ACCEPT_TIMEOUT_MS = 2_000;

/**
 * Writes a question to the store, once per turn id. This process takes the turn at once if it can; otherwise it wakes
 * the lane. Acknowledge to Slack only after this resolves. Throws StoreUnavailableError if the write takes too long.
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
    run: toRunId(),
    failures: 0,
    parts: [],
  };
  const place = ports.reserve(lane, question.asker);
  const written = ports.turns.accept(turn, toEngagement(lane, question), place?.holder);
  const accepted = await withinTime(ACCEPT_TIMEOUT_MS, written, giveUp).catch((error: unknown) => {
    // The write may have succeeded. Then the search for due lanes finds the turn.
    place?.release();
    throw error;
  });
  if (accepted === 'taken') place?.begin({ ...turn, fence: 1 });
  else place?.release();
  if (accepted === 'new') ports.wake(lane);
  return accepted === 'duplicate' ? 'duplicate' : 'new';
}

function giveUp(): never {
  throw new StoreUnavailableError(`no answer within ${ACCEPT_TIMEOUT_MS} ms`);
}

/** Marks the thread before the first answer, so that a quick follow-up without a mention is also answered. */
function toEngagement(lane: string, { asker, workspace, threadTs }: Question): ThreadChange[] {
  return threadTs ? [{ kind: 'engage', thread: lane, user: asker.user, workspace }] : [];
}

/** A command has no thread until its root is posted; until then it has a lane of its own. */
function toLane(id: string, { asker, channel, threadTs }: Question): string {
  return threadTs ? toThreadKey({ team: asker.team, channel, threadTs }) : id;
}
