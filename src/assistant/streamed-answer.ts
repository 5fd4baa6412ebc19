// A stream repeats the whole conversation in each event, so that the latest event replaces all that came before.
import { type AssistantAnswer, toAnswer } from './assistant-answer.ts';
import { parseConversation, type ServiceMessage } from './conversation-body.ts';
import { dropEcho } from './echo.ts';
import { createEventReader } from './event-reader.ts';
import { isObject, type JsonObject } from './json.ts';

export type StreamedAnswer = {
  push(chunk: string): void;
  /** The stream reported a failure: nothing of use follows. */
  hasFailed(): boolean;
  /** Nothing where the stream brought no answer at all. `isCut`: it did not end in an orderly way. */
  finish(isCut: boolean): { answer: AssistantAnswer | undefined; failure: JsonObject | undefined };
};

/** `question`: as it was asked, because the answer repeats it. */
export function createStreamedAnswer(question: string): StreamedAnswer {
  const reader = createEventReader(read);
  const seen = new Set<string>();
  let replies: readonly ServiceMessage[] = [];
  let state: string | undefined;
  let turnCount: number | undefined;
  /** How sure it is that nothing is missing: `final` also where the connection breaks afterwards. */
  let completeness: 'none' | 'growing' | 'unmarked' | 'final' = 'none';
  let wasGrowing = false;
  /** The error that the stream reported in its midst. */
  let failure: JsonObject | undefined;

  function read(event: JsonObject): void {
    if (failure) return;
    if (isObject(event.error)) {
      failure = event.error;
      return;
    }
    const snapshot = parseConversation(event);
    if (!snapshot) return;
    state = snapshot.state ?? state;
    turnCount = snapshot.turnCount ?? turnCount;
    wasGrowing ||= snapshot.isIntermediate;
    // Events without messages are signs of life, before and after the text.
    if (!snapshot.messages?.length || (completeness === 'final' && snapshot.isIntermediate)) return;
    readMessages(snapshot.messages, snapshot.isIntermediate);
  }

  function readMessages(messages: ServiceMessage[], isIntermediate: boolean): void {
    const { replies: latest, hasEcho } = dropEcho(messages, { question, isIntermediate, seen });
    if (isIntermediate) completeness = 'growing';
    else completeness = hasEcho && wasGrowing ? 'final' : 'unmarked';
    for (const { id } of latest) if (id !== undefined) seen.add(id);
    // An echo alone takes nothing back of what came before, a closed conversation does.
    if (latest.some(({ text }) => text.trim() !== '') || state === 'disengagedForRai') replies = latest;
  }

  function finish(isCut: boolean) {
    reader.end();
    const isComplete = completeness === 'final' || (completeness === 'unmarked' && !isCut && !failure);
    const answer = toAnswer({ replies, state, turnCount, partial: !isComplete });
    const isAnswer = isComplete || answer.text !== '' || answer.disengaged;
    return { answer: isAnswer ? answer : undefined, failure };
  }

  return { push: reader.push, hasFailed: () => failure !== undefined, finish };
}
