import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { readLineMarkers } from './markdown-lines.ts';

/** The parts of a Markdown syntax tree that we use. Nodes that the parser has added have no position. */
export type MarkdownNode = {
  type: string;
  value?: string;
  url?: string;
  alt?: string | null | undefined;
  identifier?: string;
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
  children?: MarkdownNode[];
};

export type ParsingBudget = { left: number };

// Units of about 4 µs: a second for the worst text; enough for 200,000 characters of an ordinary one.
const BUDGET = 250_000;

// Each marker nests another node, so a long run of markers is expensive to parse.
const LONGEST_LINE_START = 100;

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

export function createParsingBudget(): ParsingBudget {
  return { left: BUDGET };
}

/** The tree, or undefined if parsing would exceed the budget: the cost of some texts is quadratic. */
export function parseMarkdown(source: string, budget: ParsingBudget): MarkdownNode | undefined {
  const cost = estimateCost(source);
  if (cost > budget.left || hasDeepLine(source)) {
    return undefined;
  }
  budget.left -= cost;
  return parser.parse(source);
}

/** The text of a node, without markup. */
export function toWords(node: MarkdownNode): string {
  return node.value ?? node.alt ?? (node.children ?? []).map(toWords).join('');
}

/** The addresses of the definitions that are used. The first definition of a name counts. */
export function readDefinitions(root: MarkdownNode): Map<string, string> {
  const all = new Map<string, string>();
  const used = new Set<string>();
  const visit = (node: MarkdownNode) => {
    const identifier = node.identifier ?? '';
    if (node.type === 'definition' && !all.has(identifier)) {
      all.set(identifier, node.url ?? '');
    } else if (node.type === 'linkReference' || node.type === 'imageReference') {
      used.add(identifier);
    }
    node.children?.forEach(visit);
  };
  visit(root);
  return new Map([...all].filter(([identifier]) => used.has(identifier)));
}

const TEXT_BLOCKS = new Set(['html', 'definition', 'footnoteDefinition']);

const CONTAINERS = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition']);

/** HTML and definitions between paragraphs, not inside one. */
export function readTextBlocks(parent: MarkdownNode, found = new Set<MarkdownNode>()): Set<MarkdownNode> {
  for (const node of parent.children ?? []) {
    if (TEXT_BLOCKS.has(node.type) && CONTAINERS.has(parent.type)) {
      found.add(node);
    }
    readTextBlocks(node, found);
  }
  return found;
}

// Measured: the cost of marks, which may begin or end something, is quadratic in their number per block (up to a blank
// line). After a bracket that stays open, so is that of words, which may begin an address. The cost of lines is quadratic
// in their number in the whole text.
const MARK_SHARE = 20;
const WORD_SHARE = 45;
const LINE_SHARE = 80;

const BLANK_LINE = /(?:\r\n|\n|\r(?!\n))[ \t]*(?=[\n\r])/;
const MARKS = /[[\](:*_~<!&\\]/g;
const WORDS = /\w+|[.+-]/g;

function estimateCost(source: string): number {
  const lines = count(source, /[\n\r]/g);
  const blocks = source.split(BLANK_LINE).map((block) => {
    const words = hasOpenBracket(block) ? count(block, WORDS) : 0;
    return count(block, MARKS) ** 2 / MARK_SHARE + words ** 2 / WORD_SHARE;
  });
  return source.length + lines ** 2 / LINE_SHARE + blocks.reduce((sum, cost) => sum + cost, 0);
}

function hasOpenBracket(block: string): boolean {
  let depth = 0;
  for (const [mark] of block.matchAll(/\\[[\]]|[[\]]/g)) {
    if (mark === '[') depth += 1;
    else if (mark === ']') depth = Math.max(0, depth - 1);
  }
  return depth > 0;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function hasDeepLine(source: string): boolean {
  return source.split('\n').some((line) => {
    const start = readLineMarkers(line);
    return start.trimEnd().length > LONGEST_LINE_START || start.length > 3 * LONGEST_LINE_START;
  });
}
