import { createRandom, type Random } from '../../faults/random.ts';
import {
  ADDRESSES,
  CITATIONS,
  ENTITIES,
  ESCAPES,
  HOSTS,
  HTML,
  LOOSE,
  MARKS,
  MENTIONS,
  OPEN_CODE,
  STARTS,
  TITLES,
  WORDS,
} from './hostile-words.ts';

/** What a service could answer if it wanted to deceive: text, and what it calls its sources. */
export type GeneratedAnswer = {
  text: string;
  sources: { title: string; url: string }[];
  /** A line for people, such as the label of sensitivity. */
  line: string;
};

/**
 * The answer of a number, out of a grammar of everything that Slack or a Markdown reader may give a meaning to. The same
 * number and seed give the same answer.
 */
export function generateAnswer(number: number, seed: number): GeneratedAnswer {
  const random = createRandom(Math.imul(seed + 1, 0x9e37_79b1) ^ Math.imul(number + 1, 0x85eb_ca6b));
  const text = makeText(random, 1 + random.below(3));
  return {
    text: random.chance(LONG_SHARE) ? lengthen(text, random) : text,
    sources: random.chance(SOURCES_SHARE) ? [makeSource(random)] : [],
    line: random.chance(LINE_SHARE) ? makeText(random, 2) : '',
  };
}

const LONG_SHARE = 0.000_2;
const SOURCES_SHARE = 0.2;
const LINE_SHARE = 0.1;
const TRUNCATED_SHARE = 0.12;
const MARKED_SHARE = 0.15;
const ENCODED_SHARE = 0.08;
const NESTED_SHARE = 0.2;

type Make = (random: Random, depth: number) => string;

/** What comes more often stands there more often. */
const PRODUCTIONS: Make[] = [
  (random) => random.pick(WORDS),
  (random) => random.pick(WORDS),
  (random) => random.pick(MENTIONS),
  (random) => random.pick(MENTIONS),
  makeLink,
  makeLink,
  makeLink,
  makeReference,
  makeReference,
  makeAddress,
  (random) => `<${makeAddress(random)}>`,
  (random) => random.pick(HTML),
  (random) => random.pick(ENTITIES),
  (random) => random.pick(ESCAPES),
  (random) => random.pick(CITATIONS),
  (random) => random.pick(MARKS),
  (random) => random.pick(OPEN_CODE),
  (random, depth) => `\`${makePiece(random, depth)}\``,
  (random, depth) => `\n\`\`\`\n${makePiece(random, depth)}\n\`\`\`\n`,
  (random) => random.pick(LOOSE),
  (random) => random.pick(LOOSE) + random.pick(LOOSE),
];

function makeText(random: Random, pieces: number): string {
  let text = '';
  for (let count = 0; count < pieces; count += 1) text += random.pick(STARTS) + makePiece(random, 0);
  return text;
}

function makePiece(random: Random, depth: number): string {
  const piece = depth > 2 ? random.pick(WORDS) : random.pick(PRODUCTIONS)(random, depth + 1);
  if (random.chance(TRUNCATED_SHARE)) return piece.slice(0, random.below(piece.length + 1));
  if (random.chance(MARKED_SHARE)) return insert(piece, random.pick(random.chance(0.5) ? MARKS : LOOSE), random);
  if (random.chance(ENCODED_SHARE)) return encode(piece, random);
  return piece;
}

function insert(text: string, mark: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + mark + text.slice(at);
}

/** As somebody does who knows that it is decoded once, or escaped once. */
function encode(text: string, random: Random): string {
  const way = random.below(4);
  if (way === 0) return text.replace(/[<>&]/g, (found) => `&#${found.charCodeAt(0)};`);
  if (way === 1) return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (way === 2)
    return text.replace(/[[\]()!<>`@:]/g, (found) =>
      random.chance(0.5) ? `&#x${found.charCodeAt(0).toString(16)};` : found,
    );
  return text.replace(/[[\]()!<>`@:]/g, (found) => (random.chance(0.5) ? `\\${found}` : found));
}

function makeAddress(random: Random): string {
  if (random.chance(0.3)) return `https://${random.pick(HOSTS)}/${random.pick(['', 'a', 'good.example', '漢'])}`;
  return random.pick(ADDRESSES);
}

function makeLabel(random: Random, depth: number): string {
  if (random.chance(NESTED_SHARE)) return makePiece(random, depth) + makePiece(random, depth);
  return random.pick(random.chance(0.4) ? HOSTS : WORDS);
}

function makeLink(random: Random, depth: number): string {
  const bang = random.chance(0.2) ? '!' : '';
  const gap = random.chance(0.06) ? random.pick([' ', '\n', '\u200b', '\\', '\u2060']) : '';
  return `${bang}[${makeLabel(random, depth)}]${gap}(${makeAddress(random)}${random.pick(TITLES)})`;
}

const NAMES = ['r', '1', '^1', 'good.example', 'R', 'a b', '`r`'];

function makeReference(random: Random, depth: number): string {
  const name = random.pick(NAMES);
  const use = random.pick([`[${makeLabel(random, depth)}][${name}]`, `[${name}]`, `[${name}][]`, `![x][${name}]`]);
  const definition = `[${name}]: ${makeAddress(random)}${random.pick(TITLES)}\n`;
  return random.chance(0.5) ? `${use}\n\n${definition}` : `\n${definition}\n${use}`;
}

function makeSource(random: Random): { title: string; url: string } {
  return { title: makeLabel(random, 1), url: makeAddress(random) };
}

/** Longer than one message, so that it is cut in the middle of whatever is there. */
function lengthen(text: string, random: Random): string {
  const filler = random.pick(['word ', '漢', '& ', '- a\n', 'x']);
  const unit = `${filler.repeat(1 + random.below(300))}${text}`;
  return unit.repeat(Math.ceil((5_000 + random.below(15_000)) / unit.length));
}
