/** Makes of a typed text what Slack's composer makes of it: a rich_text block and an entity-encoded text. */
import { encodeEntities } from '../blocks/markup.ts';
import type { Block, Json } from '../records.ts';

export type Composed = { text: string; blocks: Block[] };

/** `typed` may hold mentions as `<@U…>`, `<#C…>`, `<!here>` and labelled links as `<https://…|label>`. */
export function compose(typed: string): Composed {
  const elements: Json[] = [];
  const texts: string[] = [];
  for (const part of typed.split(/(```[\s\S]+?```)/)) {
    if (part === '') continue;
    if (part.startsWith('```') && part.length > 6) {
      const code = part.slice(3, -3).replace(/^\n/, '');
      elements.push({ type: 'rich_text_preformatted', border: 0, elements: [{ type: 'text', text: code }] });
      texts.push(`\`\`\`${encodeEntities(code)}\`\`\``);
    } else {
      composeLines(part, elements, texts);
    }
  }
  return { text: texts.join(''), blocks: [{ type: 'rich_text', elements }] };
}

type LineKind = 'section' | 'list' | 'quote';

function composeLines(part: string, elements: Json[], texts: string[]): void {
  const groups: { kind: LineKind; lines: string[] }[] = [];
  for (const line of part.split('\n')) {
    const kind: LineKind = /^[-•*] /.test(line) ? 'list' : line.startsWith('> ') ? 'quote' : 'section';
    const last = groups.at(-1);
    if (last?.kind === kind) last.lines.push(kind === 'section' ? line : line.slice(2));
    else groups.push({ kind, lines: [kind === 'section' ? line : line.slice(2)] });
  }
  const pieces = groups.map((group) => composeGroup(group.kind, group.lines));
  elements.push(...pieces.flatMap((piece) => (piece.element ? [piece.element] : [])));
  texts.push(pieces.map((piece) => piece.text).join('\n'));
}

function composeGroup(kind: LineKind, lines: string[]): { element?: Json; text: string } {
  if (kind === 'list') {
    const items = lines.map((line) => ({ line: inline(line) }));
    const sections = items.map(({ line }) => ({ type: 'rich_text_section', elements: line.elements }));
    return {
      element: { type: 'rich_text_list', style: 'bullet', indent: 0, border: 0, elements: sections },
      text: items.map(({ line }) => `• ${line.text}`).join('\n'),
    };
  }
  const { elements, text } = inline(lines.join('\n'));
  if (kind === 'quote') return { element: { type: 'rich_text_quote', elements }, text: text.replace(/^/gm, '&gt; ') };
  return elements.length === 0 ? { text } : { element: { type: 'rich_text_section', elements }, text };
}

const TOKENS = new RegExp(
  [
    '`([^`\\n]+)`',
    '<([^<>\\n]+)>',
    '(https?:\\/\\/[^\\s<>|`]*[^\\s<>|`.,;:!?)\'"])',
    '(?<![\\w*])\\*([^*\\n]+)\\*(?![\\w*])',
    '(?<![\\w_])_([^_\\n]+)_(?![\\w_])',
    '(?<![\\w~])~([^~\\n]+)~(?![\\w~])',
    ':([a-z0-9_+-]+):',
  ].join('|'),
  'g',
);

function inline(typed: string): { elements: Json[]; text: string } {
  const elements: Json[] = [];
  let text = '';
  let end = 0;
  const plain = (until: number) => {
    const between = typed.slice(end, until);
    if (between === '') return;
    elements.push({ type: 'text', text: between });
    text += encodeEntities(between);
  };
  for (const match of typed.matchAll(TOKENS)) {
    plain(match.index);
    end = match.index + match[0].length;
    const token = toToken(match);
    elements.push(token.element);
    text += token.text;
  }
  plain(typed.length);
  return { elements, text };
}

function toToken(match: RegExpMatchArray): { element: Json; text: string } {
  const [whole, code, bracket, url, bold, italic, strike, emoji] = match;
  if (code !== undefined)
    return { element: { type: 'text', text: code, style: { code: true } }, text: `\`${encodeEntities(code)}\`` };
  if (bracket !== undefined) return toBracket(bracket, whole);
  if (url !== undefined) return { element: { type: 'link', url }, text: `<${encodeEntities(url)}>` };
  if (emoji !== undefined) return { element: { type: 'emoji', name: emoji }, text: whole };
  const [styled = '', name, mark] =
    bold !== undefined ? [bold, 'bold', '*'] : italic !== undefined ? [italic, 'italic', '_'] : [strike, 'strike', '~'];
  return {
    element: { type: 'text', text: styled, style: { [String(name)]: true } },
    text: `${mark}${encodeEntities(styled)}${mark}`,
  };
}

function toBracket(inside: string, whole: string): { element: Json; text: string } {
  const [target = '', label] = inside.split(/\|(.*)/s);
  if (/^@[UW]\w+$/.test(target)) return { element: { type: 'user', user_id: target.slice(1) }, text: `<${target}>` };
  if (/^#C\w+$/.test(target))
    return { element: { type: 'channel', channel_id: target.slice(1) }, text: `<${target}|>` };
  if (/^!(channel|here|everyone)$/.test(target))
    return { element: { type: 'broadcast', range: target.slice(1) }, text: `<${target}>` };
  if (/^(https?:\/\/|mailto:)/.test(target)) {
    const element = { type: 'link', url: target, ...(label !== undefined && { text: label }) };
    return { element, text: `<${encodeEntities(target)}${label === undefined ? '' : `|${encodeEntities(label)}`}>` };
  }
  return { element: { type: 'text', text: whole }, text: encodeEntities(whole) };
}
