import { describe, expect, it } from 'vitest';
import { english } from '../../src/languages/english.ts';
import { LANGUAGES } from '../../src/languages/language.ts';
import { textsOf } from '../../src/languages/texts.ts';
import { isMarkup, type Leaf, listTexts } from './walk-texts.ts';

/** The same in every language, and why. */
const SAME = new Map([
  ['pages.personIn', 'both languages say “in”'],
  ['details.title', 'the same word'],
]);

const MOST_VALUES = 3;

const others = LANGUAGES.filter((language) => language !== 'en');

const inEnglish = new Map(listTexts(english).map(({ path, value }) => [path, value]));

/** A value that can be found in the text again, whether it is text or markup that the function wants. */
const valueNumber = (index: number) => ({ markup: `«${index}»`, toString: () => `«${index}»` });

const say = (value: unknown, ...values: unknown[]): string => {
  const text = typeof value === 'function' ? value(...values) : value;
  return isMarkup(text) ? text.markup : String(text);
};

const sayWithValues = (value: unknown) =>
  say(value, ...Array.from({ length: MOST_VALUES }, (_, index) => valueNumber(index)));

const findValues = (value: unknown) => [...new Set(sayWithValues(value).match(/«\d»/g) ?? [])].toSorted();

/** Commands, code and markup stay what they are. */
const findFixed = (value: unknown) =>
  [...new Set(sayWithValues(value).match(/\/assistant(-[a-z]+)*/g) ?? [])].toSorted();

describe.each(others)('%s', (language) => {
  const leaves: Leaf[] = listTexts(textsOf(language));

  it('has a text of its own for every English one', () => {
    const same = leaves.filter(({ path, value }) => sayWithValues(value) === sayWithValues(inEnglish.get(path)));

    expect(leaves.map(({ path }) => path)).toEqual([...inEnglish.keys()]);
    expect(same.map(({ path }) => path)).toEqual([...SAME.keys()]);
  });

  it.each([
    ['values', findValues],
    ['commands', findFixed],
  ])('has the %s that English has', (_, find) => {
    const wrong = leaves.filter(({ path, value }) => String(find(value)) !== String(find(inEnglish.get(path))));

    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('opens and closes what it formats', () => {
    const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0;
    const open = leaves.filter(({ value }) => {
      const text = sayWithValues(value);
      const code = count(text, /`/g);
      const bold = count(text.replace(/`[^`]*`/g, ''), /\*/g);
      return code % 2 !== 0 || bold % 2 !== 0 || count(text, /<(p|strong)>/g) !== count(text, /<\/(p|strong)>/g);
    });

    expect(open.map(({ path }) => path)).toEqual([]);
  });
});

describe('numbers', () => {
  it.each([
    ['en', 1, 'Your question waits, and I answer it'],
    ['en', 2, 'Your 2 questions wait, and I answer them'],
    ['de', 1, 'Ihre Frage wartet, und ich beantworte sie'],
    ['de', 2, 'Ihre 2 Fragen warten, und ich beantworte sie'],
  ] as const)('of waiting questions in %s: %i', (language, waiting, words) => {
    expect(textsOf(language).signIn.offer(waiting)).toContain(words);
    expect(textsOf(language).signIn.offer(0)).not.toMatch(/wait|wart/i);
  });
});

describe('help', () => {
  it.each(LANGUAGES)('is read in half a minute in %s', (language) => {
    const { help } = textsOf(language).notices.sentences;

    expect(help.split(/\s+/).length).toBeLessThanOrEqual(90);
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130);
  });
});

describe('an account without a name', () => {
  it.each(LANGUAGES)('is described in %s', (language) => {
    const { account, signIn } = textsOf(language);
    const sentences = [
      account.signedIn(undefined, 'today'),
      signIn.signedInAlready(undefined),
      signIn.signedIn.assistant(undefined, false),
      signIn.signedIn.admin(undefined, false),
      signIn.signedIn.admin(undefined, true),
      signIn.receipt.assistant(undefined),
      signIn.receipt.admin(undefined),
    ];

    expect(sentences.filter((sentence) => sentence.includes('undefined'))).toEqual([]);
  });
});
