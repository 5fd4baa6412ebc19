import fc from 'fast-check';

const KINDS = [
  'heading',
  'underlined',
  'paragraph',
  'list',
  'quote',
  'code',
  'listed code',
  'quoted code',
  'table',
  'wide table',
  'links',
  'Chinese',
  'entities',
  'unbroken',
  'divider',
] as const;

type Kind = (typeof KINDS)[number];

/** Gives words that are in no other place: `w1`, `w2` and so on. */
type Next = () => string;

/** Markdown as services write it, of `blocks` pieces at most. Each of its words is there once. */
export function writtenMarkdown(blocks: number): fc.Arbitrary<string> {
  const block = fc.tuple(fc.constantFrom(...KINDS), fc.integer({ min: 1, max: 60 }), fc.constantFrom('\n', '\n\n'));
  return fc.array(block, { minLength: 1, maxLength: blocks }).map((chosen) => {
    let words = 0;
    const next = () => {
      words += 1;
      return `w${words}`;
    };
    return chosen.map(([kind, size, end]) => write(kind, size, next) + end).join('');
  });
}

/** Those of a text or of its parts, in order; what a part repeats is left out. */
export function readWords(text: string): string[] {
  return [...new Set(text.match(/w\d+/g))];
}

function write(kind: Kind, size: number, next: Next): string {
  const lines = (line: () => string) => Array.from({ length: size }, line).join('\n');
  switch (kind) {
    case 'heading':
      return `${'#'.repeat(1 + (size % 4))} ${next()} & more`;
    case 'underlined':
      return `${next()}\n${size % 2 === 0 ? '---' : '==='}`;
    case 'paragraph':
      return lines(() => `A sentence about ${next()}, and one about ${next()}.`);
    case 'list':
      return lines(() => `${'  '.repeat(size % 3)}- about ${next()}`);
    case 'quote':
      return lines(() => `> said ${next()}`);
    case 'code':
      return `\`\`\`ts\n${lines(() => `if (${next()} < 1 && true) return;`)}\n\`\`\``;
    case 'listed code':
      return `1. ${next()}\n\n   ~~~\n${lines(() => `   ${next()}`)}\n   ~~~`;
    case 'quoted code':
      return `> \`\`\`\n${lines(() => `> ${next()}`)}\n> \`\`\``;
    case 'table':
      return writeTable({ columns: 1 + (size % 6), rows: 3 * size }, next);
    case 'wide table':
      return writeTable({ columns: 20 + size, rows: 1 + (size % 9) }, next);
    case 'links':
      return lines(() => `[about ${next()}](https://docs.example/a/${'b'.repeat(size)}) (docs.example) and`);
    case 'Chinese':
      return `${'漢字。'.repeat(size)}${next()}${'漢'.repeat(10 * size)}`;
    case 'entities':
      return `${next()} ${'&lt;b&gt; &amp; '.repeat(10 * size)}`;
    case 'unbroken':
      return `${next()} ${'x'.repeat(200 * size)}`;
    case 'divider':
      return '***';
  }
}

function writeTable({ columns, rows }: { columns: number; rows: number }, next: Next): string {
  const toRow = (cell: () => string) => `| ${Array.from({ length: columns }, cell).join(' | ')} |`;
  const body = Array.from({ length: rows }, () => toRow(next));
  return [toRow(next), toRow(() => '---'), ...body].join('\n');
}
