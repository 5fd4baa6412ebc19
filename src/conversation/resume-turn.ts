import type { ReplyPart, Stage } from './turn.ts';

/** What a run does with a turn, given how far its question got. */
export type QuestionStep =
  | 'run' // from the beginning
  | 'wait' // until notBefore, then `run`
  | 'interrupt' // it was sent and no answer is stored: nobody knows, so say so and never ask again by itself
  | 'finish' // the outcome is stored: make the reply say it
  | 'nothing';

/** What finishing does with one message of the reply, given how far that message got. */
export type PartStep =
  | 'create'
  | 'find' // it may exist: look for it, adopt it, else create it
  | 'edit' // it exists: editing it is safe to repeat
  | 'wait'; // too soon to trust that it cannot be found

/**
 * A message that was just created may not be found yet; 3 s after the last attempt, not found is believed. Until then
 * two messages could come of one part.
 */
export const FIND_AFTER_MS = 3_000;

const QUESTION_STEPS: Record<Stage, QuestionStep> = {
  accepted: 'run',
  waiting: 'wait',
  parked: 'nothing',
  asking: 'interrupt',
  answered: 'finish',
  stopped: 'finish',
  cancelled: 'finish',
  done: 'nothing',
};

/** The whole of crash recovery for the question, as a table: every stage that a crash can leave, and what follows. */
export function resumeQuestion(stage: Stage, notBefore: number | undefined, now: number): QuestionStep {
  const step = QUESTION_STEPS[stage];
  return step === 'wait' && (notBefore ?? 0) <= now ? 'run' : step;
}

/** The same for one message of the reply. */
export function resumePart(part: ReplyPart, now: number): PartStep {
  if (part.step === 'none') return 'create';
  if (part.step === 'placed') return 'edit';
  return now - (part.placingAt ?? 0) >= FIND_AFTER_MS ? 'find' : 'wait';
}
