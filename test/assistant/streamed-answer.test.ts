import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceMessage } from '../../src/assistant/conversation-body.ts';
import { createStreamedAnswer, dropEcho, type EchoContext } from '../../src/assistant/read-answer.ts';

const QUESTION = 'What is new?';
const INTERMEDIATE = 'Intermediate Conversation Update';
const ECHO = { id: 'm0', text: QUESTION };

type Body = { displayName?: string; messages?: object[]; turnCount?: number; state?: string; error?: object };

const growing = (text: string): Body => ({ displayName: INTERMEDIATE, messages: [{ id: 'm1', text }], turnCount: 1 });
const beat: Body = { displayName: INTERMEDIATE, messages: [], turnCount: 1 };
const final = (text: string): Body => ({ displayName: 'News', messages: [ECHO, { id: 'm1', text }], turnCount: 2 });

function encode(...events: Body[]): string {
  return events.map((event, index) => `data:${JSON.stringify(event)}\nid:${index} \n\n`).join('');
}

function read(chunks: string[], isCut = false) {
  const streamed = createStreamedAnswer(QUESTION);
  for (const chunk of chunks) streamed.push(chunk);
  return streamed.finish(isCut);
}

/** The text after each event, where the answer is growing then. */
function follow(...events: Body[]): (string | undefined)[] {
  const streamed = createStreamedAnswer(QUESTION);
  return events.map((event) => {
    streamed.push(encode(event));
    return streamed.isGrowing() ? streamed.readText() : undefined;
  });
}

describe('a streamed answer', () => {
  it.each([
    ['ends without a final event', [beat, growing('Some')], false, true],
    ['is cut while it grows', [growing('Some')], true, true],
    ['fails while it grows', [growing('Some'), { error: { code: 'x' } }], false, true],
    ['is cut where nothing says whether more was to come', [{ messages: [ECHO, { text: 'Some' }] }], true, true],
    ['is cut after its final event', [growing('So'), final('Some')], true, false],
    ['fails after its final event', [growing('So'), final('Some'), { error: { code: 'x' } }], false, false],
    ['marks no event and ends well', [{ messages: [{ text: 'So' }] }, { messages: [{ text: 'Some' }] }], false, false],
    ['repeats an earlier event after its final one', [growing('So'), final('Some'), growing('So')], false, false],
    ['echoes the question alone in the end', [growing('Some'), { displayName: 'x', messages: [ECHO] }], false, false],
  ])('where the stream %s is all that came, partial if there was more', (_, events, isCut, partial) => {
    expect(read([encode(...events)], isCut).answer).toMatchObject({ text: 'Some', partial });
  });

  it('is nothing where the stream brought signs of life only', () => {
    expect(read([encode(beat, beat)]).answer).toBeUndefined();
    expect(read([encode(beat)], true).answer).toBeUndefined();
    expect(read(['']).answer).toBeUndefined();
  });

  it('is nothing but the error where the stream brought that alone', () => {
    const { answer, failure } = read([encode(beat, { error: { code: 'generalException' } }, growing('late'))]);

    expect(answer).toBeUndefined();
    expect(failure).toEqual({ code: 'generalException' });
  });

  it('does not end a partial text with half a marker', () => {
    expect(read([encode(growing('So it is.[^1'))]).answer?.text).toBe('So it is.');
    expect(read([encode(growing('Ask <Person>Ben</Per'))]).answer?.text).toBe('Ask Ben');
  });

  it('takes back what was shown where the service closes the conversation', () => {
    const last = { ...final('I cannot.'), state: 'disengagedForRai' };

    expect(read([encode(growing('Something bad'), last)]).answer).toMatchObject({
      text: 'I cannot.',
      disengaged: true,
    });
    for (const messages of [[ECHO], []]) {
      const { answer } = read([encode(growing('Bad'), { ...last, messages })]);
      expect(answer).toMatchObject({ text: '', disengaged: true });
    }
    const { messages: _, ...bare } = last;
    expect(read([encode(growing('Bad'), last, bare)]).answer).toMatchObject({ text: 'I cannot.', disengaged: true });
  });

  it('drops no reply of two that it has shown before', () => {
    const two = {
      messages: [
        { id: 'm1', text: 'One.' },
        { id: 'm2', text: 'Two.' },
      ],
    };

    expect(read([encode(growing('One.'), two)]).answer?.text).toBe('One.\n\nTwo.');
  });

  it.each([
    ['as it was asked', QUESTION],
    ['rewritten', 'what’s new'],
  ])('never shows the echo of the question, %s, where no event is marked', (_, text) => {
    const echo = { id: 'm0', text };
    const replies = ['So', 'Some', 'Some.'].map((reply) => ({ messages: [echo, { id: 'm1', text: reply }] }));
    const events = [{ messages: [echo] }, { messages: [echo] }, ...replies];

    expect(follow(...events)).toEqual([undefined, undefined, undefined, 'Some', 'Some.']);
    expect(read([encode(...events)]).answer).toMatchObject({ text: 'Some.', partial: false });
  });

  it.each([
    ['parts', ['The ', 'plan ', 'is']],
    ['other texts', ['One moment', 'Searching', 'The plan']],
  ])('does not show what comes as %s without a mark', (_, texts) => {
    expect(follow(...texts.map((text) => ({ messages: [{ text }] })))).toEqual([undefined, undefined, undefined]);
  });

  it('shows the beginning of an answer that is larger than any message', () => {
    const streamed = createStreamedAnswer(QUESTION);
    streamed.push(encode(growing('word '.repeat(400_000))));

    expect(streamed.readText().length).toBe(149_999);
    expect(streamed.finish(true).answer?.text.length).toBe(1_999_999);
  });

  it('is the same whether anybody looks at it meanwhile, or not', () => {
    const long = 'x'.repeat(5_000);
    const event = fc.oneof(
      fc.string({ maxLength: 9 }).map((text) => encode(growing(long + text))),
      fc.string({ maxLength: 9 }).map((text) => encode({ messages: [ECHO, { id: 'm1', text: long + text }] })),
      fc.constantFrom(encode(beat), encode({ error: { code: 'x' } }), 'nonsense\n', ': beat\n', 'data:[DONE]\n\n'),
      fc.constantFrom(
        encode(growing(`${long}{}`)).replace('{}', '}\n\n'),
        encode(growing(`${long}{}`)).replace('{}', '}\nmore'),
        encode(growing(long)).replace('\n\n', '\n'),
      ),
    );
    const broken = encode(growing(long)).replace('x"', 'x}');
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.nat(8), fc.boolean(), (good, place, isCut) => {
        const events = good.toSpliced(place, 0, broken);
        const streamed = createStreamedAnswer(QUESTION);
        for (const text of events) {
          streamed.push(text);
          streamed.readText();
        }

        expect(read([events.join('')], isCut)).toEqual(streamed.finish(isCut));
      }),
      { numRuns: 300 },
    );
  });

  it('is the same wherever the chunks are cut, and shows nothing that the service did not write', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 8 });

    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 10 }), fc.boolean(), (parts, places, isCut) => {
        const snapshots = parts.map((_, index) => parts.slice(0, index + 1).join(''));
        const text = encode(beat, ...snapshots.map(growing), final(snapshots.at(-1) ?? ''));
        const cuts = [...new Set(places.map((place) => place % text.length))].sort((a, b) => a - b);
        const chunks = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length));

        const { answer } = read(chunks, isCut);

        expect(answer).toEqual(read([text], isCut).answer);
        const isWritten = (text: string) => snapshots.some((snapshot) => isCutFrom(text, snapshot));
        expect(answer === undefined || isWritten(answer.text)).toBe(true);
      }),
    );
  });
});

/** Whether the text is the snapshot, but for markers and space that are not shown. */
function isCutFrom(text: string, snapshot: string): boolean {
  const plain = (value: string) => value.replace(/\s/g, '');
  return plain(snapshot).startsWith(plain(text)) || /[[<【\uE200-\uE20F]/.test(snapshot);
}

describe('the progress of a streamed answer', () => {
  it('is the text so far, without a marker that is half received', () => {
    expect(follow(beat, growing('Ne'), growing('News.[^1'), growing('News.[^1^] And'), beat)).toEqual([
      undefined,
      'Ne',
      'News.',
      'News. And',
      'News. And',
    ]);
  });

  it('numbers the citations whose sources have come', () => {
    const attributions = [{ attributionType: 'citation', seeMoreWebUrl: 'https://a.example/x' }];
    const event = { displayName: INTERMEDIATE, messages: [{ id: 'm1', text: 'News.[^1^] And', attributions }] };

    expect(follow(event)).toEqual(['News.[1] And']);
  });

  it('is over with the final event, and not told where events may be the echo of the question', () => {
    expect(follow(growing('Some'), final('Some')).at(-1)).toBeUndefined();
    expect(follow({ messages: [{ text: 'What’s new, then?' }] })).toEqual([undefined]);
  });

  it('is empty once the conversation is closed', () => {
    expect(follow({ ...growing('Some'), state: 'disengagedForRai' })).toEqual(['']);
  });
});

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
