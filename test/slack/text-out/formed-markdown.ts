import fc from 'fast-check';

const WORDS = [
  ...['word', 'two words', 'snake_case', '2 * 3', 'R&D', 'a < b -> c', '5*', '[1]', '[see]', '\\*kept\\*', '\\# no'],
  ...['&copy;', '&lt;tag&gt;', '&amp;lt;', 'a\\_b', 'C:\\Users', '1. not', '漢字。', 'é', '👩‍👩‍👧', '~ 5', 'x | y'],
  'https://x.example/a_b?c=1&d=2',
];

const inline = fc.letrec<{ span: string; text: string }>((tie) => ({
  text: fc.array(tie('span'), { minLength: 1, maxLength: 4 }).map((spans) => spans.join(' ')),
  span: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
    fc
      .tuple(fc.constantFrom('*', '_', '**', '__', '~~', '***'), tie('text'))
      .map(([mark, text]) => (text.includes(mark[0] ?? '') ? text : mark + text + mark)),
    fc.constantFrom('`code`', '`a | b`', '`<b> &lt;`', '`` a`b ``', '`a_b*c`'),
    tie('text').map((label) => `[${label}](https://x.example/a_(b)?c=1&d=2)`),
    fc.constantFrom('![alt](https://x.example/p.png)', '<https://x.example/a>', '[**b** `c`][r]', '[r]', 'one<br>two'),
  ),
})).text;

const lines = (text: fc.Arbitrary<string>, most: number) => fc.array(text, { minLength: 1, maxLength: most });

const indent = (text: string, first: string, rest: string) =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first : line === '' ? '' : rest) + line)
    .join('\n');

const row = (cells: string[]) => `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;

const table = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 }), fc.constantFrom('---', ':-:', '--:', ':--'))
  .chain(([columns, rows, dashes]) =>
    fc
      .array(fc.array(inline, { minLength: columns, maxLength: columns }), { minLength: rows + 1, maxLength: rows + 1 })
      .map(([head = [], ...body]) => [row(head), row(head.map(() => dashes)), ...body.map(row)].join('\n')),
  );

const blocks = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  blocks: lines(tie('block'), 4).map((all) => all.join('\n\n')),
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: lines(inline, 3).map((all) => all.join('\n')) },
    fc.tuple(fc.integer({ min: 1, max: 6 }), inline).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`),
    fc
      .tuple(fc.constantFrom('```', '~~~', '````'), fc.constantFrom('', 'ts', 'c++'))
      .map(([fence, info]) => `${fence}${info}\nif (a < b && c) [d](e);\n\n  # no *heading*\n&lt;\n${fence}`),
    fc.constant('text\n***\nmore'),
    table,
    fc
      .tuple(fc.constantFrom('- ', '* ', '1. ', '12. '), lines(tie('blocks'), 3), fc.boolean())
      .map(([marker, items, isTight]) =>
        items.map((item) => indent(item, marker, ' '.repeat(marker.length))).join(isTight ? '\n' : '\n\n'),
      ),
    lines(inline, 3).map((items) => items.map((item) => `- [x] ${item}`).join('\n')),
    tie('blocks').map((text) => text.replace(/^/gm, '> ')),
  ),
})).blocks;

/** Markdown of every kind, in every other: as services write it, and not made to confuse. A message takes one table. */
export function formedMarkdown(): fc.Arbitrary<string> {
  const isOneMessage = (text: string) => (text.match(/^.*\|(?: :?-+:? \|)+$/gm) ?? []).length < 2;
  return blocks.filter(isOneMessage).map((text) => `${text}\n\nsee [r]\n\n[r]: https://x.example/r "title"\n`);
}
