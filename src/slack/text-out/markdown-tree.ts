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

// About 4 µs each: a quarter of a second for the worst text, 60,000 characters for an ordinary one.
const BUDGET = 60_000;

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

// Measured: emphasis and bracket runs dominate, and grow with the square of their number.
function estimateCost(source: string): number {
  let delimiters = 0;
  for (let index = 0; index < source.length; index += 1) {
    const character = source.charCodeAt(index);
    if (character === 0x2a || character === 0x5f || character === 0x5b || character === 0x7e) {
      delimiters += 1;
    }
  }
  return source.length + (delimiters * delimiters) / 200;
}

function hasDeepLine(source: string): boolean {
  return source.split('\n').some((line) => {
    const start = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/.exec(line)?.[0] ?? '';
    return start.trimEnd().length > LONGEST_LINE_START || start.length > 3 * LONGEST_LINE_START;
  });
}
