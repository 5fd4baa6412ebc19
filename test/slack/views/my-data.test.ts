import { expect, it } from 'vitest';
import { english } from '../../../src/languages/english.ts';
import { countCharacters } from '../../../src/slack/text-out/message-budget.ts';
import { buildExport } from '../../../src/slack/views/my-data.ts';

it('an export of any length comes whole, in messages that fit', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `{"n":${index},"text":"${'<&>'.repeat(index % 50)}"}`);
  const json = [...lines, 'x'.repeat(30_000)].join('\n');

  const messages = buildExport(json, english);

  const codes = messages.map(({ blocks }) => JSON.parse(JSON.stringify(blocks[1])).elements[0].elements[0].text);
  expect(codes.join('\n').replace(/\n(?=x)/g, '')).toBe(json.replace(/\n(?=x)/, ''));
  expect(Math.max(...codes.map(countCharacters))).toBeLessThanOrEqual(10_100);
  expect(messages.map(({ text }) => text)[1]).toBe(`Your data, as JSON, part 2 of ${messages.length}:`);
});
