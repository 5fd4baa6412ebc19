import type { Turn } from '../conversation/turn.ts';
import { count, type Finding, ok, warning } from './finding.ts';
import type { StoreReader } from './store-reader.ts';

const SHOWN_DEAD = 20;

/** Whoever waits for longer wonders. */
const SOON_MS = 60_000;

/** What is open and for how long, and what was given up. Ids and codes, never what somebody wrote. */
export async function lookAtTurns(
  store: Pick<StoreReader, 'counts' | 'oldestTurn' | 'deadLetters'>,
  now: number,
): Promise<Finding[]> {
  const { byStage, oldestAcceptedAt } = await store.counts();
  const dead = await store.deadLetters(SHOWN_DEAD + 1);
  return [
    describeOpen(Object.entries(byStage).filter(([, number]) => number > 0)),
    ...(oldestAcceptedAt === undefined ? [] : [describeOldest(oldestAcceptedAt, await store.oldestTurn(), now)]),
    describeDead(dead),
  ];
}

function describeOpen(stages: [string, number][]): Finding {
  const total = stages.reduce((sum, [, number]) => sum + number, 0);
  if (total === 0) return ok('No question is open.');
  const parts = stages.map(([stage, number]) => `${number} ${stage}`).join(', ');
  return ok(`${count(total, 'question is', 'questions are')} open: ${parts}.`);
}

/** By its id it is found in the log. */
function describeOldest(acceptedAt: number, id: string | undefined, now: number): Finding {
  const which = id === undefined ? '' : ` Its turn is ${id}.`;
  const sentence = `The oldest that does not wait for a sign-in came ${toAge(now - acceptedAt)} ago, at ${toTime(acceptedAt)}.${which}`;
  return now - acceptedAt > SOON_MS ? warning(sentence) : ok(sentence);
}

function describeDead(turns: Turn[]): Finding {
  if (turns.length === 0) return ok('No question was given up.');
  const many = turns.length > SHOWN_DEAD ? `More than ${SHOWN_DEAD}` : String(turns.length);
  const verb = turns.length === 1 ? 'question was' : 'questions were';
  return warning(
    `${many} ${verb} given up, the latest first (failed: the person was told; abandoned: they were not):`,
    turns.slice(0, SHOWN_DEAD).map(toLine),
  );
}

function toLine({ acceptedAt, result = '', id, lastError = 'no error noted' }: Turn): string {
  return [toTime(acceptedAt), result.padEnd(9), id, lastError].join('  ');
}

function toTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function toAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
