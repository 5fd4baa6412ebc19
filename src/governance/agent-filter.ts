// What `/assistant-admin agents` lists, as it is typed: invoice env:"Contoso Production" owner:4f1c… harness

/** Empty texts filter nothing. `harness`: 'unknown' are the agents of which the service does not tell it. */
export type AgentFilter = { name: string; environment: string; owner: string; harness: HarnessFilter };

export type HarnessFilter = (typeof HARNESS_FILTERS)[number];

export const HARNESS_FILTERS = ['any', 'yes', 'no', 'unknown'] as const;

export type ParsedFilter = { ok: true; filter: AgentFilter } | { ok: false; sentence: string };

const OWNERS_ARE_IDS =
  'The owners of agents are people in the directory, whom Slack does not know: after `owner:` comes their id there, or part of it, as `/assistant-admin agents` shows it.';

const KEYS = 'env|environment|owner|name|harness';
const KEY = new RegExp(`^(${KEYS}):\\s*`, 'i');
const ANY_KEY = new RegExp(`(?:^|\\s)(?:(?:${KEYS}):|harness(?:\\s|$))`, 'i');
const BARE_HARNESS = /^harness(?=\s|$)/i;

/** A value ends where the next filter begins, or with its quotes: names have spaces and quotes of their own. */
const NEXT = `\\s+(?:(?:${KEYS}):|harness(?:\\s|$))`;
const QUOTED = [
  ['["“„«]', '["”“»]'],
  ["['‘‚]", "['’‘]"],
  ['`', '`'],
].flatMap(([open = '', close = '']) => [
  new RegExp(`^${open}(.*?)${close}(?=${NEXT}|\\s*$)`, 'i'), // to the quote that ends it, whatever quotes are within
  new RegExp(`^${open}(.+?)${close}(?=\\s)`), // or, where words of no filter come after it, to the first one
]);
const UNQUOTED = new RegExp(`^(.*?)(?=${NEXT}|\\s*$)`, 'i');
const WORD = /^(\S+)/;

/** Words of no filter are part of the agent's name. A name with the word harness in it is typed in quotes. */
export function parseAgentFilter(typed: string): ParsedFilter {
  const found = new Map<string, string>();
  const words: string[] = [];
  let rest = typed.trim();
  while (rest !== '') {
    const key = KEY.exec(rest)?.[0] ?? '';
    const isBare = key === '' && BARE_HARNESS.test(rest);
    const { value, length } = take(rest.slice(key.length), [...QUOTED, key === '' ? WORD : UNQUOTED]);
    if (key !== '') found.set(toName(key), value);
    else if (isBare) found.set('harness', 'yes');
    else words.push(value);
    rest = rest.slice(key.length + length).trimStart();
  }
  return toFilter(found, words);
}

/** Whether it was typed as if it were a filter of agents: no other list has any. */
export function hasFilter(typed: string): boolean {
  return ANY_KEY.test(typed);
}

function take(text: string, patterns: readonly RegExp[]): { value: string; length: number } {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return { value: (match[1] ?? '').trim(), length: match[0].length };
  }
  return { value: text, length: text.length };
}

function toFilter(found: ReadonlyMap<string, string>, words: readonly string[]): ParsedFilter {
  const harness = HARNESS_FILTERS.find((one) => one === (found.get('harness') ?? 'any').toLowerCase());
  if (harness === undefined) {
    return { ok: false, sentence: 'After `harness:` comes `yes`, `no`, `unknown` or `any`.' };
  }
  const read = (key: string) => withoutStrayQuote(found.get(key) ?? '');
  if (read('owner').startsWith('@')) return { ok: false, sentence: OWNERS_ARE_IDS };
  const name = found.has('name') ? read('name') : withoutStrayQuote(words.join(' '));
  return { ok: true, filter: { name, environment: read('env'), owner: read('owner'), harness } };
}

function toName(key: string): string {
  const name = key.replace(/:\s*$/, '').toLowerCase();
  return name === 'environment' ? 'env' : name;
}

/** One that was opened and never closed. */
function withoutStrayQuote(text: string): string {
  const count = text.match(/["“”„«»]/g)?.length ?? 0;
  return count % 2 === 0 ? text : text.replace(/^["“„«]|["”“»]$/, '');
}
