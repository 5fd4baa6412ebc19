// What is typed after a list command, such as: invoice env:"Contoso Production" owner:4f1c… over:80.

/** The lists that have filters. */
export type FilteredList = 'agents' | 'environments' | 'limits' | 'usage';

/** Empty texts do not filter. */
export type ListFilter = {
  name: string;
  environment: string;
  /** An id in the directory, or part of it; until readOwnerId, perhaps the mention of a person in Slack. */
  owner: string;
  /** The Slack user id of that person. */
  ownerUser?: string;
  /** 'unknown' stands for agents about which the service does not say it. */
  harness: HarnessFilter;
  /** Percent: what has used this share, or more; the largest share comes first. */
  over?: number;
  /** Agents without a limit. */
  none?: true;
  /** Agents that somebody stopped. */
  stopped?: true;
};

export type HarnessFilter = (typeof HARNESS_FILTERS)[number];

export const HARNESS_FILTERS = ['any', 'yes', 'no', 'unknown'] as const;

export type ParsedFilter = { ok: true; filter: ListFilter } | { ok: false; sentence: string };

type TextKey = 'name' | 'env' | 'owner';
type Flag = 'harness' | 'none' | 'stopped';

type Vocabulary = {
  /** A value ends where the next filter begins, or with its quotes: names have spaces and quotes of their own. */
  texts: readonly TextKey[];
  /** A value is one word. */
  words: readonly ('harness' | 'over')[];
  /** They stand alone. */
  flags: readonly Flag[];
  /** As errors list them. */
  told: string;
};

/** In `usage` and `environments` the environment is what is named. */
const VOCABULARIES: Record<FilteredList, Vocabulary> = {
  agents: {
    texts: ['name', 'env', 'owner'],
    words: ['harness'],
    flags: ['harness'],
    told: '`env:<environment>`, `owner:<id or @person>`, `harness`, `harness:no`, `harness:unknown`',
  },
  environments: {
    texts: ['name', 'env', 'owner'],
    words: [],
    flags: [],
    told: '`owner:<id or @person>`',
  },
  limits: {
    texts: ['name', 'env', 'owner'],
    words: ['harness', 'over'],
    flags: ['harness', 'none', 'stopped'],
    told: '`none`, `stopped`, `over:<percent>`, `env:<environment>`, `owner:<id or @person>`, `harness`',
  },
  usage: {
    texts: ['name', 'env', 'owner'],
    words: ['over'],
    flags: [],
    told: '`over:<percent>`, `owner:<id or @person>`',
  },
};

/** Of all lists, so that a filter of another one is told rather than searched for. */
const KEYS = '(?:env|environment|owner|name|harness|over):';
const KEY = new RegExp(`^${KEYS}\\s*`, 'i');

type Patterns = { flag: RegExp; quoted: RegExp[]; text: RegExp };

const PATTERNS = new Map(Object.entries(VOCABULARIES).map(([list, { flags }]) => [list, toPatterns(flags)]));

function toPatterns(flags: readonly Flag[]): Patterns {
  const flag = flags.length === 0 ? '(?!)' : `(?:${flags.join('|')})`;
  const filter = `(?:${KEYS}|${flag}(?:\\s|$))`;
  const next = `\\s+${filter}`;
  const quotes = [
    ['["“„«]', '["”“»]'],
    ["['‘‚]", "['’‘]"],
    ['`', '`'],
  ];
  return {
    flag: new RegExp(`^${flag}(?=\\s|$)`, 'i'),
    quoted: quotes.flatMap(([open = '', close = '']) => [
      new RegExp(`^${open}(.*?)${close}(?=${next}|\\s*$)`, 'i'), // to the quote that ends it, whatever quotes are within
      new RegExp(`^${open}(.+?)${close}(?=\\s)`), // or, where words of no filter come after it, to the first one
    ]),
    text: new RegExp(`^(.*?)(?=${next}|\\s*$)`, 'i'),
  };
}

/** With the sign behind a number: 80 %. */
const WORD = /^(\S+(?:\s+%(?=\s|$))?)/;

/** Words of no filter are part of the name. A name with a word like harness in it is typed in quotes. */
export function parseListFilter(list: FilteredList, typed: string): ParsedFilter {
  const { flag, quoted, text } = PATTERNS.get(list) ?? toPatterns([]);
  const found = new Map<string, string>();
  const words: string[] = [];
  let rest = typed.trim();
  while (rest !== '') {
    const key = KEY.exec(rest)?.[0] ?? '';
    const bare = key === '' ? flag.exec(rest)?.[0] : undefined;
    const unquoted = key === '' || ['over', 'harness'].includes(toName(key)) ? WORD : text;
    const { value, length } = take(rest.slice(key.length), [...quoted, unquoted]);
    if (key !== '') found.set(toName(key), value);
    else if (bare !== undefined) found.set(bare.toLowerCase(), 'yes');
    else words.push(value);
    rest = rest.slice(key.length + length).trimStart();
  }
  return toFilter(list, found, words);
}

/** The sentence about a word such as `colour:red`, which no list knows; undefined where there is none. */
export function describeUnknownFilter(list: FilteredList, name: string): string | undefined {
  const key = /(?:^|\s)(\p{L}[\p{L}-]{0,20}:)\S/u.exec(name)?.[1];
  return key === undefined ? undefined : `\`${key}\` is no filter. ${describeFilters(list)}`;
}

function describeFilters(list: FilteredList): string {
  return `\`/assistant-admin ${list}\` has: ${VOCABULARIES[list].told}. Anything else is part of a name; put a name that looks like a filter in quotes.`;
}

function take(text: string, patterns: readonly RegExp[]): { value: string; length: number } {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return { value: (match[1] ?? '').trim(), length: match[0].length };
  }
  return { value: text, length: text.length };
}

const OWNERS_ARE_IDS =
  'I do not know whose account that is in the directory. After `owner:` comes a person of this workspace as Slack suggests them after `@`, or their id in the directory, or part of it, as the lists show it.';

function toFilter(list: FilteredList, found: ReadonlyMap<string, string>, words: readonly string[]): ParsedFilter {
  const problem = findProblem(list, found);
  if (problem !== undefined) return { ok: false, sentence: problem };
  const read = (key: string) => withoutStrayQuote(found.get(key) ?? '');
  const named = found.has('name') ? read('name') : withoutStrayQuote(words.join(' '));
  const isOfEnvironments = list === 'usage' || list === 'environments';
  const name = isOfEnvironments ? `${named} ${read('env')}`.trim() : named;
  const percent = readPercent(found.get('over') ?? '');
  return {
    ok: true,
    filter: {
      name,
      environment: isOfEnvironments ? '' : read('env'),
      owner: read('owner'),
      harness: readHarness(found) ?? 'any',
      ...(percent !== undefined && { over: percent }),
      ...(found.has('none') && { none: true }),
      ...(found.has('stopped') && { stopped: true }),
    },
  };
}

/** The first of what cannot be understood, in a sentence that says what there is. */
function findProblem(list: FilteredList, found: ReadonlyMap<string, string>): string | undefined {
  const { texts, words, flags } = VOCABULARIES[list];
  const known: readonly string[] = [...texts, ...words, ...flags];
  const foreign = [...found.keys()].find((key) => !known.includes(key));
  if (foreign !== undefined) return `\`${foreign}:\` is no filter of this list. ${describeFilters(list)}`;
  if (readHarness(found) === undefined) return 'After `harness:` comes `yes`, `no`, `unknown` or `any`.';
  if (found.has('over') && readPercent(found.get('over') ?? '') === undefined) {
    return 'After `over:` comes a percentage, such as `over:80`: shown is what has used that much or more.';
  }
  const owner = found.get('owner') ?? '';
  return owner.startsWith('@') ? OWNERS_ARE_IDS : undefined;
}

function readHarness(found: ReadonlyMap<string, string>): HarnessFilter | undefined {
  return HARNESS_FILTERS.find((one) => one === (found.get('harness') ?? 'any').toLowerCase());
}

/** More than 100 % can be used. */
function readPercent(typed: string): number | undefined {
  const digits = /^(\d{1,4}(?:[.,]\d{1,2})?)\s*%?$/.exec(typed)?.[1];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}

function toName(key: string): string {
  const name = key.replace(/:\s*$/, '').toLowerCase();
  return name === 'environment' ? 'env' : name;
}

/** `findId`: the id in the directory of a Slack user; undefined where it is not known. */
export async function readOwnerId(
  filter: ListFilter,
  findId: (user: string) => Promise<string | undefined>,
): Promise<ParsedFilter> {
  const user = /^<@([UW][A-Z0-9]+)>$/.exec(filter.owner)?.[1];
  if (user === undefined) return { ok: true, filter };
  const owner = await findId(user);
  if (owner === undefined) return { ok: false, sentence: OWNERS_ARE_IDS };
  return { ok: true, filter: { ...filter, owner, ownerUser: user } };
}

/** One that was opened and never closed. */
function withoutStrayQuote(text: string): string {
  const count = text.match(/["“”„«»]/g)?.length ?? 0;
  return count % 2 === 0 ? text : text.replace(/^["“„«]|["”“»]$/, '');
}
