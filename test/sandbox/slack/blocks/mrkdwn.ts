/** Slack's own markup, and the rich text that says the same: https://docs.slack.dev/messaging/formatting-message-text */
import type { Block, Json } from '../records.ts';
import { decodeEntities } from './markup.ts';

const TYPED = /```[\s\S]+?```|`[^`\n]+`|<([^<>\n]+)>|https?:\/\/[^\s<>|"`*]*[^\s<>|"`*.,;:!?)']|^[-*] |[<>]/gm;

/**
 * What Slack's composer makes of a typed text, which may hold mentions as `<@U…>`, `<#C…>`, `<!here>` and labelled links as
 * `<https://…|label>`: these stay live, everything else gets entities.
 */
export function compose(typed: string): { text: string; blocks: Block[] } {
  const text = typed.replaceAll('&', '&amp;').replace(TYPED, (whole, inside?: string) => {
    if (inside !== undefined) return composeBracket(inside);
    if (whole.startsWith('http')) return `<${whole}>`;
    if (/^[-*] /.test(whole)) return '• ';
    return encodeBrackets(whole).replace(/^```\n/, '```');
  });
  return { text, blocks: [{ type: 'rich_text', elements: readMrkdwn(text, { hasLists: true }) }] };
}

function composeBracket(inside: string): string {
  const [target = ''] = inside.split('|');
  if (/^(?:@[UW]\w+|!(?:channel|here|everyone|subteam\^S\w+))$/.test(target)) return `<${target}>`;
  if (/^#C\w+$/.test(target)) return `<${target}|>`;
  return /^(?:https?:\/\/|mailto:)/.test(target) ? `<${inside}>` : encodeBrackets(`<${inside}>`);
}

function encodeBrackets(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The elements of a rich_text block. `hasLists`: as of what people type; a text of an app has bullets as characters. */
export function readMrkdwn(text: string, { hasLists = false } = {}): Json[] {
  return text.split(/```\n?([\s\S]*?)\n?```/).flatMap((part, index) => {
    if (index % 2 === 0) return readLines(part, hasLists);
    const code = { type: 'text', text: decodeEntities(part) };
    return [{ type: 'rich_text_preformatted', border: 0, elements: [code] }];
  });
}

type Run = { type: 'section' | 'quote' | 'list'; lines: string[] };

const QUOTE = /^(?:&gt;|>) ?/;

function readLines(text: string, hasLists: boolean): Json[] {
  const runs: Run[] = [];
  for (const line of text.split('\n')) {
    const type = QUOTE.test(line) ? 'quote' : hasLists && line.startsWith('• ') ? 'list' : 'section';
    const words = { quote: line.replace(QUOTE, ''), list: line.slice(2), section: line }[type];
    const last = runs.at(-1);
    if (last?.type === type) last.lines.push(words);
    else runs.push({ type, lines: [words] });
  }
  return runs.flatMap(toPart);
}

function toPart({ type, lines }: Run): Json[] {
  if (type === 'list') {
    const elements = lines.map((line) => ({ type: 'rich_text_section', elements: readInline(line) }));
    return [{ type: 'rich_text_list', style: 'bullet', indent: 0, border: 0, elements }];
  }
  const elements = readInline(lines.join('\n').replace(/^\n|\n$/g, ''));
  return elements.length === 0 ? [] : [{ type: `rich_text_${type}`, elements }];
}

/** Marks that stand within each other; each run of marked words is read once more, so that no text takes long. */
const TOKEN =
  /`(?<code>[^`\n]+)`|<(?<bracket>[^<>\n]+)>|(?<url>https?:\/\/[^\s<>|"`*]*[^\s<>|"`*.,;:!?)'])|(?<![\w*])\*(?!\s)(?<bold>(?:<[^<>\n]+>|[^*<\n])+)(?<!\s)\*(?![\w*])|(?<!\w)_(?!\s)(?<italic>(?:<[^<>\n]+>|[^_<\n])+)(?<!\s)_(?!\w)|(?<![\w~])~(?!\s)(?<strike>(?:<[^<>\n]+>|[^~<\n])+)(?<!\s)~(?![\w~])|:(?<emoji>[a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/g;

type Style = Partial<Record<'code' | 'bold' | 'italic' | 'strike', true>>;

function readInline(text: string, style: Style = {}): Json[] {
  const styled = (element: Json, more: Style = {}): Json => {
    const whole = { ...style, ...more };
    return Object.keys(whole).length > 0 ? { ...element, style: whole } : element;
  };
  const toText = (words: string) => (words === '' ? [] : [styled({ type: 'text', text: decodeEntities(words) })]);
  const toElements = ({ code, bracket, url, emoji, ...marked }: Record<string, string | undefined>): Json[] => {
    if (code !== undefined) return [styled({ type: 'text', text: decodeEntities(code) }, { code: true })];
    if (bracket !== undefined) return [styled(readBracket(bracket))];
    if (url !== undefined) return [styled({ type: 'link', url: decodeEntities(url) })];
    if (emoji !== undefined) return [styled({ type: 'emoji', name: emoji })];
    return Object.entries(marked).flatMap(([mark, words]) =>
      words ? readInline(words, { ...style, [mark]: true }) : [],
    );
  };
  const elements: Json[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    elements.push(...toText(text.slice(from, match.index)), ...toElements(match.groups ?? {}));
    from = match.index + match[0].length;
  }
  return [...elements, ...toText(text.slice(from))];
}

const KINDS: Record<string, [type: string, field: string]> = {
  '@': ['user', 'user_id'],
  '#': ['channel', 'channel_id'],
  '!subteam^': ['usergroup', 'usergroup_id'],
  '!': ['broadcast', 'range'],
};

/** Of what stands between `<` and `>`: a mention, a date, a link, or else the words as they are. */
export function readBracket(inside: string): Json {
  const [target = '', label] = inside.split(/\|(.*)/s).map(decodeEntities);
  const [, kind = '', id] = /^(@|#|!subteam\^|!)(\w+)$/.exec(target) ?? [];
  const [type, field] = KINDS[kind] ?? [];
  if (type && field) return { type, [field]: id };
  const [, seconds, format, url] = /^!date\^(\d+)\^([^^]*)(?:\^(.*))?$/.exec(target) ?? [];
  if (seconds) return { type: 'date', timestamp: Number(seconds), format, ...(url && { url }), fallback: label };
  if (/^[a-z]+:/i.test(target)) return { type: 'link', url: target, ...(label && { text: label }) };
  return { type: 'text', text: decodeEntities(`<${inside}>`) };
}
