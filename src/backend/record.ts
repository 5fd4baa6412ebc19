import type { QuestionContent } from '../conversation/stores.ts';
import type { Stage, Turn } from '../conversation/turn.ts';
import { PermanentError } from '../errors.ts';

/** The version of records, tables and keys. A release that cannot share a store with the one before increases it. */
export const STORE_VERSION = 1;

/** Throws a PermanentError if another release made the store and this one cannot share it. */
export function checkVersion(found: number, store: 'Redis' | 'The database'): void {
  if (found === STORE_VERSION) return;
  throw new PermanentError(
    'store_of_other_release',
    `${store} is of another release: it has version ${found}, and this release knows ${STORE_VERSION}. Start the release that made it, or name another store.`,
  );
}

/** Keeps unknown fields: releases that share a store may add fields, which are written back. */
export function readRecord<T extends { schema: number }>(body: unknown): T {
  return JSON.parse(String(body));
}

/** Whether the turn was given up. `failed`: the person got a notice; `abandoned`: not even that worked. */
export function isDead({ stage, result }: Pick<Turn, 'stage' | 'result'>): boolean {
  return stage === 'done' && (result === 'failed' || result === 'abandoned');
}

const NOT_SENT: readonly Stage[] = ['accepted', 'waiting', 'parked'];

/** The turn with its new question: see `revise` of TurnStore. Undefined: it is too late. */
export function toRevised(turn: Turn, said: QuestionContent & Pick<Turn, 'sealed'>): Turn | undefined {
  if (!NOT_SENT.includes(turn.stage)) return undefined;
  const { sealed, ...content } = said;
  const fence = turn.fence + 1;
  // Settled: the run that loses the fence did not die.
  const revised: Turn = { ...turn, fence, settled: fence, question: { ...turn.question, ...content } };
  return sealed === undefined ? revised : { ...revised, sealed };
}
