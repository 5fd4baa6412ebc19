import { StoreUnavailableError } from '../errors.ts';
import { withinTime } from '../time-limit.ts';
import { type Person, type Question, toThreadKey } from './question.ts';
import type { TurnStore } from './stores.ts';
import type { ThreadChange, Turn } from './turn.ts';

export type AcceptPorts = {
  turns: Pick<TurnStore, 'accept'>;
  /** Keeps a place for its run in this process. Undefined: there is none now. See Dispatcher. */
  reserve(lane: string, asker: Person): PlaceForTurn | undefined;
  wake(lane: string): void;
  now(): number;
};

/** Ends with one of the two. `holder`: who takes the lane. `begin`: runs it, beginning with this turn, which is taken. */
export type PlaceForTurn = { holder: string; begin(turn: Turn): void; release(): void };

/** Slack waits 3 s for an acknowledgement: report a failure while it still listens. */
const ACCEPT_TIMEOUT_MS = 2_000;

/**
 * Writes a question to the store, once per turn id. It is taken at once where this process can run it, else its lane is
 * woken. Acknowledge to Slack only after this resolves. Throws StoreUnavailableError where it was not written in time.
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
  const place = ports.reserve(lane, question.asker);
  const written = ports.turns.accept(turn, toEngagement(lane, question), place?.holder);
  const accepted = await withinTime(ACCEPT_TIMEOUT_MS, written, giveUp).catch((error: unknown) => {
    // It may have been written: then whoever looks for lanes that are due finds it.
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

/** Engaged before the first answer, so that a quick follow-up without a mention is also answered. */
function toEngagement(lane: string, { asker, workspace, threadTs }: Question): ThreadChange[] {
  return threadTs ? [{ kind: 'engage', thread: lane, user: asker.user, workspace }] : [];
}

/** A command has no thread until its root is posted; until then it has a lane of its own. */
function toLane(id: string, { asker, channel, threadTs }: Question): string {
  return threadTs ? toThreadKey({ team: asker.team, channel, threadTs }) : id;
}
