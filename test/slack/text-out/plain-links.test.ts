import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Piece, toPieces } from '../../../src/slack/text-out/markdown-pieces.ts';
import { createParsingBudget, parseMarkdown } from '../../../src/slack/text-out/markdown-tree.ts';
import { readPlainLinks } from '../../../src/slack/text-out/slack-markdown.ts';

/** What the parser makes of it. */
function parse(source: string): Piece[] {
  const root = parseMarkdown(source, createParsingBudget());
  if (!root) throw new Error('too much to parse');
  return toPieces(source, root);
}

/** Neighbours of a kind are neutralised together, so that it does not matter where one ends. */
function join(pieces: Piece[]): string {
  return pieces.map(({ kind, text }) => (kind === 'final' ? `⟦${text}⟧` : text)).join('');
}

const LINKS = [
  '[the page](https://x.example/a)',
  '[x.example/a_b](http://x.example/a_b?c=1&d=2#e)',
  '[1](https://x.example) (x.example)',
  '[a b > c](HTTPS://user.example:80/%41*b*)',
  '[a](https://www.x.example/a)',
  '[b](https://[::1]/b)',
  '[c](https://x.example/`)',
  '[d](https://x.example/\\*\\`a)',
  '[e](https://x.example/\0)',
  '[f](https://xn--n3h.example/ü?@)',
];

const AROUND = [
  ...[
    '\n',
    '\n',
    '\n\n',
    ' ',
    '  ',
    '    ',
    '\t',
    '\r\n',
    'word',
    'a_b',
    'is & R&D;',
    '&amp;',
    '"',
    '.',
    '-',
    '- ',
    '* ',
  ],
  ...['1. ', '10) ', '> ', '>', '# ', '#', '---', '===', '| a | b |', '\n| - | - |\n', '|', ':', '[', ']', '(', ')'],
  ...['*', '**', '_', '__', '~', '~~', '~~~', '`', '```\n', '\\', '<', '<b>', '!', '![', '](', ']:', '][', '^', '[^a]'],
  ...[
    '[x] ',
    '[ ] ',
    '@',
    'a@b.example',
    'www.',
    'http://',
    'https://y.example/',
    'x:',
    '[a]: https://y.example',
    '\0',
  ],
  ...[
    '[a](https://x.example "title")',
    '[a](<https://x.example>)',
    '[a]()',
    '[](https://x.example)',
    '[a](ftp://x.example)',
  ],
  ...[
    '[a](https://u:p@x.example)',
    '[a [b]](https://x.example)',
    '[a](https://x.example/(b))',
    '[^a](https://x.example)',
  ],
];

const fragment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...LINKS) },
  { weight: 5, arbitrary: fc.constantFrom('\n', '\n\n', ' ', 'word', ', and ', '- ', '**', '1. ') },
  { weight: 2, arbitrary: fc.constantFrom(...AROUND) },
);
const markdown = fc.array(fragment, { minLength: 1, maxLength: 12 }).map((fragments) => fragments.join(''));

describe('readPlainLinks', () => {
  it('reads links as the parser does, or leaves the text to it', () => {
    let read = 0;
    fc.assert(
      fc.property(markdown, (source) => {
        const pieces = readPlainLinks(source);
        if (!pieces) return;
        read += 1;
        expect(join(pieces)).toBe(join(parse(source)));
      }),
      { numRuns: 3_000 },
    );
    expect(read).toBeGreaterThan(300);
  });
});
