import type { Turn } from '../../conversation/turn.ts';
import { type Check, count, type Finding, speak } from '../check.ts';

const SHOWN_DEAD = 20;

/** A longer wait is a warning. */
const SOON_MS = 60_000;

const { words, say } = speak({
  noneOpen: '✓ No question is open.',
  open: '✓ {questions} open: {stages}.',
  young: '✓ The oldest question that does not wait for a sign-in came {age} ago, at {time}.{which}',
  old: '! The oldest question that does not wait for a sign-in came {age} ago, at {time}.{which}',
  noneDead: '✓ No question was given up.',
  dead: '! {questions} given up, the latest first (failed: the person was told; abandoned: they were not):',
});

/** Open questions with their age, and questions that were given up. Shows ids and codes, never texts. */
export const TURNS: Check = {
  name: 'The list of questions',
  section: 'Questions',
  words,
  async look({ store }) {
    const { reader } = await store();
    if (!reader) return undefined;
    const { byStage, oldestAcceptedAt: at } = await reader.counts();
    const id = at === undefined ? undefined : await reader.oldestTurn();
    return [
      describeOpen(Object.entries(byStage).filter(([, number]) => number > 0)),
      at === undefined ? undefined : describeOldest(at, id),
      describeDead(await reader.deadLetters(SHOWN_DEAD + 1)),
    ];
  },
};

function describeOpen(stages: [string, number][]): Finding {
  const total = stages.reduce((sum, [, number]) => sum + number, 0);
  if (total === 0) return say('noneOpen');
  const parts = stages.map(([stage, number]) => `${number} ${stage}`).join(', ');
  return say('open', { questions: count(total, 'question is', 'questions are'), stages: parts });
}

/** The id helps to find the turn in the log. */
function describeOldest(at: number, id: string | undefined): Finding {
  const ms = Date.now() - at;
  const which = id === undefined ? '' : ` Its turn is ${id}.`;
  return say(ms > SOON_MS ? 'old' : 'young', { age: toAge(ms), time: toTime(at), which });
}

function describeDead(turns: Turn[]): Finding {
  if (turns.length === 0) return say('noneDead');
  const isMore = turns.length > SHOWN_DEAD;
  const shown = count(Math.min(turns.length, SHOWN_DEAD), 'question was', 'questions were');
  const details = turns.slice(0, SHOWN_DEAD).map(toLine);
  return { ...say('dead', { questions: isMore ? `More than ${shown}` : shown }), details };
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
