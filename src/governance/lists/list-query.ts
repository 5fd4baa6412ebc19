// What is typed after a list: words, a few filters, perhaps a month or a day, and `csv` for a file.
import { DateTime, IANAZone } from 'luxon';
import { toComparable } from '../inventory/inventory.ts';

/** What follows the word of a filter: `stopped`, `env:lab`, `over:80`. */
type FilterKind = 'flag' | 'text' | 'percent';

/** `from` and `until` in epoch ms, the latter excluded. `text`: 2026-03 or 2026-03-09. */
export type Period = { text: string; from: number; until: number };

export type Query = {
  /** As it was typed, without `csv`: buttons carry it. */
  typed: string;
  /** Comparable: all of them have to occur. */
  words: string[];
  /** By filter; '' for a flag. */
  filters: ReadonlyMap<string, string>;
  period: Period | undefined;
  isFile: boolean;
};

/** The filters of all lists, so that a filter of another list is refused and not searched for. */
const FILTERS: Record<string, FilterKind> = {
  class: 'text',
  env: 'text',
  owner: 'text',
  over: 'percent',
  stopped: 'flag',
  harness: 'flag',
  nolimit: 'flag',
  pool: 'flag',
  payg: 'flag',
};

type Options = {
  /** The filters of this list. */
  filters: readonly string[];
  /** The IANA time zone of months and days. */
  timeZone: string;
};

/** `problem`: a sentence in mrkdwn without names. A text in quotes is a word, never a filter. */
export function parseQuery(typed: string, options: Options): Query | { problem: string } {
  const found: Found = { words: [], filters: new Map(), period: undefined };
  const { text, isFile } = splitFile(typed);
  for (const token of readTokens(text)) {
    const problem = addToken(token, found, options);
    if (problem !== undefined) return { problem };
  }
  return { ...found, typed: text, isFile };
}

const FILE = /(?:^|\s+)(?:export\s+)?csv\s*$/i;

function splitFile(typed: string): { text: string; isFile: boolean } {
  const text = typed.replace(FILE, '').trim();
  return { text, isFile: FILE.test(typed) };
}

type Found = { words: string[]; filters: Map<string, string>; period: Period | undefined };

type Token = { key: string; value: string; isQuoted: boolean };

/** Perhaps a key, then a word or a text in quotes of any kind. The closing quote may be missing at the end. */
const TOKENS = /(?:([a-z]{2,12}):)?(?:["“”„«»「]([^"“”«»」]*)(?:["”“«»」]|$)|(\S+))/gi;

function readTokens(text: string): Token[] {
  return [...text.matchAll(TOKENS)].map(([, key = '', quoted, word = '']) => ({
    key: key.toLowerCase(),
    value: (quoted ?? word).trim(),
    isQuoted: quoted !== undefined,
  }));
}

function addToken({ key, value, isQuoted }: Token, found: Found, options: Options): string | undefined {
  const isFlag = key === '' && !isQuoted && FILTERS[value.toLowerCase()] === 'flag';
  const filter = isFlag ? value.toLowerCase() : key;
  if (filter !== '') return addFilter(filter, isFlag ? '' : value, found, options);
  const period = isQuoted ? undefined : readPeriod(value, options.timeZone);
  if (period !== undefined) found.period = period;
  else
    found.words.push(
      ...toComparable(value)
        .split(' ')
        .filter((word) => word !== ''),
    );
  return undefined;
}

function addFilter(filter: string, value: string, found: Found, { filters }: Options): string | undefined {
  const known = filters.map((one) => `\`${FILTERS[one] === 'flag' ? one : `${one}:`}\``).join(' ');
  if (!filters.includes(filter)) {
    const has = known === '' ? 'This list has no filters' : `This list has ${known}`;
    return `\`${filter}\` is no filter here. ${has}; put a name that looks like one in quotes.`;
  }
  if (FILTERS[filter] === 'percent' && readPercent(value) === undefined) {
    return 'After `over:` comes a percentage, such as `over:80`.';
  }
  if (FILTERS[filter] === 'text' && value === '') return `After \`${filter}:\` comes a name, or part of one.`;
  found.filters.set(filter, value);
  return undefined;
}

/** More than 100 % can be used. */
export function readPercent(typed: string): number | undefined {
  const digits = /^(\d{1,4}(?:[.,]\d{1,2})?)%?$/.exec(typed)?.[1];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}

/** 2026-03 or 2026-03-09, in the reader's time zone. */
function readPeriod(text: string, timeZone: string): Period | undefined {
  const match = /^(20\d{2})-(\d{2})(?:-(\d{2}))?$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day] = match;
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  const from = DateTime.fromObject({ year: Number(year), month: Number(month), day: Number(day ?? 1) }, { zone });
  if (!from.isValid) return undefined;
  const until = from.plus(day === undefined ? { months: 1 } : { days: 1 });
  return { text, from: from.toMillis(), until: until.toMillis() };
}
