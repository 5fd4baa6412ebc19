import { describe, expect, it } from 'vitest';
import type { ServiceMessage } from '../../src/assistant/conversation-body.ts';
import { dropEcho, type EchoContext } from '../../src/assistant/read-answer.ts';

function textsAfterEcho(texts: string[], parts: Partial<EchoContext> = {}): string[] {
  const nothing = { attributions: undefined, references: undefined, sensitivityLabel: undefined };
  const messages = texts.map((text, index): ServiceMessage => ({ id: `m${index}`, text, ...nothing }));
  const context = { question: 'What is\n new?', isIntermediate: false, seen: new Set<string>(), ...parts };
  return dropEcho(messages, context).replies.map(({ text }) => text);
}

describe('the echo of the question', () => {
  it.each([
    ['is dropped before the reply', ['What is\n new?', 'A'], ['A']],
    ['is found whatever its spaces and case', ['  WHAT is new? ', 'A'], ['A']],
    ['is dropped with the history before it', ['Old?', 'Old.', 'What is new?', 'A'], ['A']],
    ['is dropped where it is alone', ['what is new?'], []],
    ['is dropped once where the reply repeats it', ['What is new?', 'What is new?'], ['What is new?']],
    ['is the first message where it was rewritten', ['News?', 'A', 'B'], ['A', 'B']],
    ['is not looked for in a single other message', ['A'], ['A']],
    ['is none of none', [], []],
  ])('%s', (_, texts, expected) => {
    expect(textsAfterEcho(texts)).toEqual(expected);
  });

  it('is not guessed in an event before the end, nor in a message shown as a reply before', () => {
    expect(textsAfterEcho(['A', 'B'], { isIntermediate: true })).toEqual(['A', 'B']);
    expect(textsAfterEcho(['A', 'B'], { seen: new Set(['m0']) })).toEqual(['A', 'B']);
  });
});
