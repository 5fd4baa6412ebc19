import type { QuestionContent } from '../conversation/stores.ts';
import type { Stage, Turn } from '../conversation/turn.ts';
import { PermanentError } from '../errors.ts';

/** Of records, tables and keys. Increased by every release that cannot share a store with the one before. */
export const STORE_VERSION = 1;

/** Throws a PermanentError where a store is of a release that this one cannot share it with. */
export function checkVersion(found: number, store: 'Redis' | 'The database'): void {
  if (found === STORE_VERSION) return;
  throw new PermanentError(
    'store_of_other_release',
    `${store} is of another release: it has version ${found}, and this release knows ${STORE_VERSION}. Start the release that made it, or name another store.`,
  );
}

/** Releases that share a store may add fields to each other's records: they are kept and written back. */
export function readRecord<T extends { schema: number }>(body: unknown): T {
  return JSON.parse(String(body));
}

/** Given up, for operators. `failed`: the person was told; `abandoned`: not even that worked. */
export function isDead({ stage, result }: Pick<Turn, 'stage' | 'result'>): boolean {
  return stage === 'done' && (result === 'failed' || result === 'abandoned');
}

const NOT_SENT: readonly Stage[] = ['accepted', 'waiting', 'parked'];

/** The turn with what it is to ask now: see `revise` of TurnStore. Undefined: it is too late. */
export function toRevised(turn: Turn, said: QuestionContent & Pick<Turn, 'sealed'>): Turn | undefined {
  if (!NOT_SENT.includes(turn.stage)) return undefined;
  const { sealed, ...content } = said;
  const fence = turn.fence + 1;
  // Settled: the run that is fenced off did not die.
  const revised: Turn = { ...turn, fence, settled: fence, question: { ...turn.question, ...content } };
  return sealed === undefined ? revised : { ...revised, sealed };
}
