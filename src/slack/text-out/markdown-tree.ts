import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** As much of a Markdown syntax tree as is needed here. Nodes that were made up while parsing have no position. */
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

// About 4 µs each: a second for the worst text, 200,000 characters for an ordinary one.
const BUDGET = 250_000;

// Containers are nodes inside nodes, so that a long run of their markers costs more than it could ever show.
const LONGEST_LINE_START = 100;

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

export function createParsingBudget(): ParsingBudget {
  return { left: BUDGET };
}

/** The tree, or undefined where parsing would cost more than is left: some texts cost the square of their length. */
export function parseMarkdown(source: string, budget: ParsingBudget): MarkdownNode | undefined {
  const cost = estimateCost(source);
  if (cost > budget.left || hasDeepLine(source)) {
    return undefined;
  }
  budget.left -= cost;
  return parser.parse(source);
}

/** What a node says, without its markup. */
export function toWords(node: MarkdownNode): string {
  return node.value ?? node.alt ?? (node.children ?? []).map(toWords).join('');
}

/** The addresses that references lead to, of those definitions that are used. The first of a name counts. */
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

/** HTML and definitions that stand between paragraphs, and not in one. */
export function readTextBlocks(parent: MarkdownNode, found = new Set<MarkdownNode>()): Set<MarkdownNode> {
  for (const node of parent.children ?? []) {
    if (TEXT_BLOCKS.has(node.type) && CONTAINERS.has(parent.type)) {
      found.add(node);
    }
    readTextBlocks(node, found);
  }
  return found;
}

// Measured: what may begin or end something costs the square of its number in a block, a block being what ends with a
// blank line. Behind a bracket that stays open, so does each word: it may begin an address. Lines cost the square of
// their number in the whole text.
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
    const start = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/.exec(line)?.[0] ?? '';
    return start.trimEnd().length > LONGEST_LINE_START || start.length > 3 * LONGEST_LINE_START;
  });
}
