import Parser, { type MarkdownIt, type StateBlock, type Token } from 'markdown-it';
import { PermanentError } from '../../errors.ts';
import { isTableDelimiter } from './source-lines.ts';

/** A part of a Markdown text, and the parts inside it. */
export type MarkdownNode = { token: Token; children: readonly MarkdownNode[] };

/** The text could not be rendered in time. Show it as plain escaped text. */
export class RenderTimeoutError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('render_timeout', `the text was not rendered: ${why}`, options);
  }
}

/** The parser's own limit: it leaves out what is nested deeper. */
const MOST_LEVELS = 100;

/** Measured: only images take quadratic time; this many take a few ms. */
const MOST_IMAGES = 1_000;

/** Parses the blocks of a text in linear time. HTML stays text. Throws RenderTimeoutError. */
export function parseMarkdown(source: string): MarkdownNode[] {
  if (source.includes('![') && source.split('![').length > MOST_IMAGES) {
    throw new RenderTimeoutError('it has too many images');
  }
  const tokens = markdown.parse(source, {});
  if (tokens.some(({ level }) => level >= MOST_LEVELS - 1)) throw new RenderTimeoutError('it is nested too deeply');
  return toTree(tokens);
}

/** Parses inline markup, such as that of a paragraph. */
export function parseInline(source: string): readonly MarkdownNode[] {
  return toTree(markdown.parseInline(source, {}))[0]?.children ?? NONE;
}

/** The text of nodes, without markup. Spaces end an address before code and at the end of a line. */
export function toWords(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map(({ token, children }) => (ENDS_WORD.has(token.type) ? ' ' : '') + (toWords(children) || token.content))
    .join('');
}

const ENDS_WORD = new Set(['code_inline', 'softbreak', 'hardbreak']);

const NONE: readonly MarkdownNode[] = [];

function toTree(tokens: readonly Token[]): MarkdownNode[] {
  const roots: MarkdownNode[] = [];
  const open = [roots];
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop();
    } else if (token.nesting > 0) {
      const children: MarkdownNode[] = [];
      open.at(-1)?.push({ token, children });
      open.push(children);
    } else {
      open.at(-1)?.push({ token, children: token.children ? toTree(token.children) : NONE });
    }
  }
  return roots;
}

const markdown = createParser();

function createParser(): MarkdownIt {
  const parser = new Parser({ html: false, linkify: false });
  // write-inline.ts decides which addresses become links, and how they are shown.
  parser.validateLink = () => true;
  parser.normalizeLink = (address) => address;
  parser.normalizeLinkText = (address) => address;
  // Without `text_join`, an escaped character stays separate from other text. The other rules have no effect here.
  parser.disable(['text_join', 'html_block', 'html_inline', 'linkify', 'replacements', 'smartquotes']);
  parser.block.ruler.before('table', 'table below', isTableBegun, { alt: ['paragraph', 'blockquote'] });
  parser.block.ruler.at('reference', readDefinition);
  return parser;
}

/** Services write tables right below lists, quotes and tables. By the rules of Markdown they would belong to those. */
function isTableBegun(state: StateBlock, line: number, end: number, isSilent: boolean): boolean {
  if (!isSilent || line + 1 >= end || !readLine(state, line).includes('|')) return false;
  return isTableDelimiter(readLine(state, line + 1));
}

/** A link definition in one line. The parser's own rule leaves no node, but a definition that no link uses is shown. */
function readDefinition(state: StateBlock, line: number, _end: number, isSilent: boolean): boolean {
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return false;
  const content = readLine(state, line);
  const [, label = '', address = ''] = (content.startsWith('[') && DEFINITION.exec(content)) || [];
  if (label.trim() === '') return false;
  if (isSilent) return true;
  const { normalizeReference, unescapeAll } = state.md.utils;
  const href = unescapeAll(address.replace(/^<(.*)>$/, '$1'));
  state.env.references ??= {};
  state.env.references[normalizeReference(label)] ??= { href, title: '' };
  const token = state.push('definition', '', 0);
  Object.assign(token, { map: [line, line + 1], content, meta: { href } });
  state.line = line + 1;
  return true;
}

/** Does not match footnotes. */
const DEFINITION =
  /^\[((?!\^)(?:[^[\]\\]|\\.){1,500})\]:[ \t]+(<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;

/** A line without its indentation. */
function readLine({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}
