import type { Random } from '../../faults/random.ts';

/** What an answer may be made of, over and over; `number`: of the piece. */
const SHAPES: Record<string, (random: Random) => (number: number) => string> = {
  'one paragraph of short lines': (random) => {
    const word = random.pick(['Bo', 'Erika Mustermann', 'item 7', '漢字']);
    return (number) => `${word} ${number}\n`;
  },
  'one line of prose': () => () => 'A sentence (as people write them), 2 * 3, a_b, and so on. ',
  'one line without spaces': (random) => {
    const sign = random.pick(['a', '_', '*', '/', '@', ']', '%41']);
    return () => sign;
  },
  'a script without spaces': () => () => '東京は日本の首都であり、',
  'a deep list': (random) => {
    const mark = random.pick(['- ', '1. ', '* ']);
    return (number) => `${'  '.repeat(number % 12)}${mark}**Item** ${number}: \`code\` and _more_\n`;
  },
  'a list of links': () => (number) =>
    `- [Page *${number}*](https://files.example/page-${number}?a=1&b=2): \`x\` <b>\n`,
  'a table': (random) => {
    const cell = 'cell '.repeat(1 + random.below(6));
    return (number) => (number === 0 ? '| a | b |\n|---|---|\n' : `| ${number} | ${cell}|\n`);
  },
  'one code block': () => (number) => (number === 0 ? '```ts\n' : `const a${number} = 1 < 2; // [a](b)\n`),
  'many code blocks': (random) => {
    const line = 'x = y[1:]\n'.repeat(1 + random.below(30));
    return () => `\`\`\`\n${line}\`\`\`\n`;
  },
  'code in a list': () => (number) => `- Step ${number}\n  \`\`\`sh\n  run <it>\n  \`\`\`\n`,
  quotes: (random) => {
    const mark = '> '.repeat(1 + random.below(8));
    return (number) => `${mark}Quoted **${number}**\n`;
  },
  'what is never closed': (random) => {
    const sign = random.pick(['**', '`', '[', '<a ', '~~', '[a](http', '```', '|', '**a\n', '<', '![']);
    return () => `${sign} some words after it, `;
  },
  'what is closed and opened again': (random) => {
    const signs = Array.from({ length: 6 }, () => random.pick(['**', '*', '_', '`', '``', '[', ']', '](', '~~', '<']));
    return (number) => `${signs[number % signs.length]}word${number % 7 === 0 ? '\n' : ' '}`;
  },
  'bare addresses': () => (number) => `https://x.example/${number} www.y.example user@z.example @here\n`,
};

/** Texts of each shape, of a given length: the same for the same random numbers. */
export const GROWING = Object.entries(SHAPES).map(([shape, choose]) => ({
  shape,
  make(random: Random, length: number): string {
    const write = choose(random);
    let text = '';
    for (let number = 0; text.length < length; number += 1) text += write(number);
    return text.slice(0, length);
  },
}));
