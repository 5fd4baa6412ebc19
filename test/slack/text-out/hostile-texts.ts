import { createRandom } from '../../faults/random.ts';

/** `pattern` is the text in short, for whoever reads about it. */
export type HostileText = { pattern: string; text: string };

/** What Markdown, Slack and the assistant service give a meaning to, and what that stands beside. */
const UNITS = [
  ...['*', '**', '_', '~', '~~~', '`', '``', '```', '[', ']', '(', ')', '](', ']:', ':]', '(]', '![', '[^', '][', '[]'],
  ...['<', '>', '<!--', '-->', '<!', '<?', '?>', '</', '<a ', '<a>', '<b>', '</a>', '<br>', '<![CDATA[', ']]>', '/>'],
  ...['!', '#', '# ', '+', '+ ', '-', '- ', '---', '=', '===', '|', '|-', '| ', '||', ':-', '|-|', '1.', '1. ', '> '],
  ...['\\', '\\\\', '\\<', '\\[', '\\`', '\\*', '&', '&lt;', '&gt;', '&amp;', '&#60;', '&#x3c;', '&#', '&a', ';', ':'],
  ...['/', '//', '.', ',', '@', '"', "'", '^', '{', '}', '$', '?', '%', '%20', '=""'],
  ...['www.', 'http://', 'https://', '://', 'mailto:', 'xmpp:', 'http', 'a.b', 'a@b', '@a.b', '@channel'],
  'javascript:',
  ...[' ', '  ', '    ', '\t', '\n', '\n\n', '\r\n', '\r', '\n> ', '\n- ', '\n1. ', '\n    ', '\n# ', '\n|', '\n```\n'],
  ...['\n[a]: b', '\n[^a]: b', '\n---\n', '\n===\n', '\n> > ', '\n  - ', '\n\t', '\n~~~\n', '\n<a>\n', '\n<!--\n'],
  ...['a', 'A', '1', 'word', 'é', 'e\u0301', '\u0301', '\u0301\u0323', '漢', '。', '👩', '\u200d', '🇩'],
  ...['\ud800', '\udc00'],
  ...['\u00a0', '\u2028', '\u2060', '\u202e', '\ufeff', '\0', '\u000b', '\u3000', '\uE200', '\uE201', '【', '】', '†'],
  ...['[1]', '[^1^]', '[1](', '[a](b)', '[a](https://b.c)', '![a](b)', '[a][b]', '[a]', '[^a]', '[ ]', '[x]', 'cite'],
  ...['citeturn1', 'turn1a1', '<Person>', '</Person>', '<A', '<@U1>', '<@', '<https://b|', '!web-off', 'file:', 'a|b'],
];

/** What makes it worth looking at: without any of it the text is short work, and with it all of the text is read. */
const BESIDES = [
  ...['', '<b>', '[a](b)', '\\<', '`', '[', '<', '> ', '- '],
  ...['| a |\n|---|\n| ', '```\n', '[a]: b "', '\n\n'],
];

const SHAPES = [repeatTogether, repeatTogether, repeatTogether, repeatApart, repeatWithNumbers, repeatLonger] as const;

/**
 * The text of a number: two to four pieces of syntax, over and over, up to a length. The same number and seed give the
 * same text, shorter or longer.
 */
export function makeHostileText(number: number, length: number, seed = 1): HostileText {
  const random = createRandom(seed * 1_000_003 + number);
  const units = Array.from({ length: 2 + random.below(3) }, () => random.pick(UNITS));
  const shape = random.pick(SHAPES);
  const before = random.pick(BESIDES);
  const after = random.pick(BESIDES);
  const room = length - before.length - after.length;
  return {
    pattern: JSON.stringify({ number, seed, before, units, after, shape: shape.name }),
    text: before + shape(units, room).slice(0, Math.max(0, room)) + after,
  };
}

/** A text out of a pattern, such as one that was found to be slow. */
export function repeatPattern(units: string[], length: number): string {
  return repeatTogether(units, length).slice(0, length);
}

function repeatTogether(units: string[], length: number): string {
  const unit = units.join('');
  return unit.repeat(Math.ceil(length / unit.length));
}

/** The first so often, then the second so often: what opens many things and closes them, or does not. */
function repeatApart(units: string[], length: number): string {
  const share = Math.ceil(length / units.length);
  return units.map((unit) => repeatTogether([unit], share)).join('');
}

/** As with labels and addresses, of which each is another. */
function repeatWithNumbers(units: string[], length: number): string {
  const pieces: string[] = [];
  for (let size = 0, number = 0; size < length; number += 1) {
    const piece = units.join(number.toString(36));
    pieces.push(piece);
    size += piece.length;
  }
  return pieces.join('');
}

/** Each time longer: runs of which none is as long as another. */
function repeatLonger(units: string[], length: number): string {
  const pieces: string[] = [];
  const [first = '', ...others] = units;
  for (let size = 0, count = 1; size < length; count += 1) {
    const piece = first.repeat(count % LONGEST_RUN) + others.join('');
    pieces.push(piece);
    size += piece.length;
  }
  return pieces.join('');
}

const LONGEST_RUN = 400;
