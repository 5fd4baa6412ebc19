import type { Answer } from '../../src/conversation/outcome.ts';
import type { Question } from '../../src/conversation/question.ts';
import type { Turn } from '../../src/conversation/turn.ts';

/** A question that Ana asks at the root of a channel thread; only what a test is about needs to be said. */
export function aQuestion(change: Partial<Question> = {}): Question {
  return {
    asker: { team: 'T1', user: 'UANA' },
    workspace: 'T1',
    channel: 'C1',
    origin: 'message',
    audience: 'channel',
    threadTs: '100.1',
    messageTs: '100.1',
    startsThread: true,
    text: 'What is on today?',
    webSearch: true,
    links: [],
    unusable: [],
    ...change,
  };
}

export function aTurn(change: Partial<Turn> = {}): Turn {
  return {
    schema: 1,
    id: 'message:T1:C1:100.1',
    lane: 'T1:C1:100.1',
    question: aQuestion(),
    stage: 'accepted',
    acceptedAt: 1_000,
    fence: 0,
    failures: 0,
    parts: [],
    ...change,
  };
}

/** What a turn has decided to answer. */
export function anOutcome(change: Partial<Answer> = {}): Answer {
  return {
    kind: 'answer',
    text: 'Yes.',
    sources: [],
    webSearch: true,
    partial: false,
    contextLost: false,
    files: { used: [], unusable: [] },
    ...change,
  };
}
