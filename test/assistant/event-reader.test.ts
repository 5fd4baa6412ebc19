import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventReader } from '../../src/assistant/event-reader.ts';

function readAll(chunks: Iterable<string>): object[] {
  const events: object[] = [];
  const reader = createEventReader((event) => events.push(event));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return events;
}

/** The text cut at the given places. */
function cutAt(text: string, places: number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length));
}

describe('the event reader', () => {
  it.each([
    ['an event with id and comments around it', ': hello\n\ndata:{"a":1}\nid:4 \n\n: keep-alive\n\n'],
    ['a space after the colon', 'data: {"a":1}\n\n'],
    ['CRLF', ':x\r\n\r\ndata:{"a":1}\r\nid:4 \r\n\r\n'],
    ['CR alone', ':x\r\rdata:{"a":1}\rid:4 \r\r'],
    ['no blank line at the end', 'data:{"a":1}\n'],
    ['no line end at all', 'data:{"a":1}'],
    ['JSON over several lines of data', 'data:{\ndata:"a":1\ndata:}\n\n'],
    ['JSON over raw lines', 'data:{\n  "a": 1\n}\nid:4 \n\n'],
    ['JSON over raw lines with blank ones between', 'data:{\n\n  "a": 1\n\n}\n\n'],
    ['a field and a comment inside of JSON', 'data:{\nid:4 \n: keep-alive\n"a":1}\n\n'],
    ['an event field and a retry field', 'event: message\nretry: 10\ndata:{"a":1}\n\n'],
    ['an end mark that is not JSON', 'data:{"a":1}\n\ndata:[DONE]\n\n'],
    ['what is JSON but no object', 'data:7\n\ndata:[1]\n\ndata:null\n\ndata:{"a":1}\n\n'],
    ['an unknown line after a whole event', 'data:{"a":1}\nnonsense\n\n'],
    ['a broken event before a good one', 'data:{"b":\n\ndata:{"a":1}\n\n'],
    ['an event of broken strings before a good one', 'data:{"b":"}\n\ndata:{"a":1}\n\n'],
    ['a closed event that is no JSON before a good one', 'data:{b}\n\ndata:{"a":1}\n\n'],
    ['lines of text before any data', '<html>\nnonsense\n\ndata:{"a":1}\n\n'],
    ['an empty data line', 'data:\n\ndata:{"a":1}\n\n'],
  ])('reads one event: %s', (_, text) => {
    expect(readAll([text])).toEqual([{ a: 1 }]);
  });

  it('reads line breaks inside strings', () => {
    const text = 'data:{"a":"one\r\ntwo \\"quoted\\" {\n\nthree"}\n\ndata:{"b":2}\n\n';

    expect(readAll([text])).toEqual([{ a: 'one\ntwo "quoted" {\n\nthree' }, { b: 2 }]);
  });

  it('reads pretty-printed JSON and what follows it', () => {
    const event = { id: 'x', cards: [{ body: [{ text: 'data: no\nid: no' }] }, {}], n: 1 };

    const text = `data:${JSON.stringify(event, null, 2)}\nid:9 \ndata:{"b":2}\n\n`;

    expect(readAll([text])).toEqual([event, { b: 2 }]);
  });

  it('skips an event larger than 4 MiB, and goes on', () => {
    const large = JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024) });

    expect(readAll(cutAt(`data:${large}\n\ndata:{"a":1}\n\n`, [9, 2 ** 20, 2 ** 22]))).toEqual([{ a: 1 }]);
  });

  it('reads of long events that replace each other only those that are asked for, and the last', () => {
    const events: { number: number }[] = [];
    const reader = createEventReader(
      (event) => events.push(event as { number: number }),
      (json) => json.includes('"mark":1'),
    );
    const write = (number: number, mark: number) =>
      reader.push(`data:${JSON.stringify({ mark, number, text: 'x'.repeat(5_000) })}\nid:1 \n\n`);
    for (let number = 0; number < 500; number += 1) {
      write(number, 1);
      if (number === 300) reader.catchUp();
    }
    reader.push(`data:{"mark":1,"number":"broken ${'x'.repeat(5_000)}}\n\n`);
    write(1_000, 2);
    reader.end();

    expect(events.map(({ number }) => number)).toEqual([300, 499, 1_000]);
  });

  it('gives the same events wherever the chunks are cut', () => {
    const noise = fc.constantFrom(
      ': keep-alive\n\n',
      '\n',
      'id:7 \n',
      'data:[DONE]\n\n',
      'data:{"broken\n\n',
      'nonsense\n',
    );
    const event = fc
      .tuple(
        fc.jsonValue(),
        fc.constantFrom(undefined, 2),
        fc.constantFrom('\n\n', '\r\n\r\n', '\r\r', '\n', '\nid:3 \n\n'),
      )
      .map(([value, space, end]) => `data:${JSON.stringify({ value }, null, space)}${end}`);
    const stream = fc.array(fc.oneof(event, noise), { maxLength: 12 }).map((parts) => parts.join(''));

    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
        expect(readAll(cutAt(text, places))).toEqual(readAll([text]));
      }),
    );
  });

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat()), (text, places) => {
        expect(readAll(cutAt(`data:${text}`, places))).toEqual(readAll([`data:${text}`]));
      }),
    );
  });

  it.each([
    ['blank lines', `data:{"a":"${'x'.repeat(1_000_000)}${'}\n\n'.repeat(100_000)}`],
    ['lines that close', `data:{"a":1${'\n}{'.repeat(300_000)}`],
    ['lines of data', 'data:{"a":[\n'.repeat(200_000)],
    ['escaped quotes', `data:{"${'\\"'.repeat(1_000_000)}\n\n`],
  ])('gets through a hostile stream of %s', (_, text) => {
    const cuts = Array.from({ length: 60 }, (_unused, index) => index * 16_384);

    expect(() => readAll(cutAt(text, cuts))).not.toThrow();
  });
});
