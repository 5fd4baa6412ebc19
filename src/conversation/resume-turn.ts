import type { ReplyPart, Stage } from './turn.ts';

/** What a run does with a turn, given how far its question got. */
export type QuestionStep =
  | 'run' // from the beginning
  | 'interrupt' // it was sent, but no answer is stored: say that the outcome is unknown, never ask again automatically
  | 'finish' // the outcome is stored: post it
  | 'nothing';

/** What a run does with one message of the reply, given how far that message got. */
export type PartStep =
  | 'create'
  | 'find' // it may exist: look for it, adopt it, else create it
  | 'edit' // it exists: editing it is safe to repeat
  | 'wait'; // a search now might miss it

/**
 * A message that was just created may not be found yet. From 3 s after the last attempt a search is trusted; before
 * that, creating the part again could post it twice.
 */
export const FIND_AFTER_MS = 3_000;

const QUESTION_STEPS: Record<Stage, QuestionStep> = {
  accepted: 'run',
  waiting: 'run',
  parked: 'nothing',
  asking: 'interrupt',
  answered: 'finish',
  stopped: 'finish',
  cancelled: 'finish',
  done: 'nothing',
};

/** Crash recovery for the question: every stage that a crash can leave behind, and what to do next. */
export function resumeQuestion(stage: Stage): QuestionStep {
  return QUESTION_STEPS[stage];
}

/** Crash recovery for one message of the reply. */
export function resumePart(part: ReplyPart, now: number): PartStep {
  if (part.step === 'none') return 'create';
  if (part.step === 'placed') return 'edit';
  return now - (part.placingAt ?? 0) >= FIND_AFTER_MS ? 'find' : 'wait';
}
