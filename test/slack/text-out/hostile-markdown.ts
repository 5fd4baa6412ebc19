import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { generateAnswer } from './generated-answer.ts';
import { findLiveInMarkdown } from './read-live.ts';

/** Markdown made to confuse: answers of the generator, one after the other. Its numbers are what shrinks. */
export function hostileMarkdown(most = 6): fc.Arbitrary<string> {
  const piece = fc.nat(MOST_NUMBER).map((number) => generateAnswer(number, SEED).text);
  return fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(''));
}

const SEED = 20_260_901;
const MOST_NUMBER = 1_000_000;

type Node = {
  type: string;
  url?: string;
  value?: string;
  children?: Node[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
};

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** What must not be there: all that may be live, and what a Markdown parser finds, such as links that lie and HTML. */
export function findDangers(markdown: string): string[] {
  const dangers = findLiveInMarkdown(markdown);
  const visit = (node: Node) => {
    if (['html', 'image', 'imageReference', 'linkReference', 'definition'].includes(node.type)) {
      dangers.push(node.type);
    }
    if (node.type === 'link' && !isHonest(node, markdown)) {
      dangers.push(`link to ${node.url}`);
    }
    node.children?.forEach(visit);
  };
  visit(parser.parse(markdown));
  return dangers;
}

function isHonest(node: Node, markdown: string): boolean {
  const { start, end } = { start: node.position?.start.offset ?? -1, end: node.position?.end.offset ?? -1 };
  const address = node.url ?? '';
  const url = URL.parse(address);
  // A bare address shows itself, unless what looks like its host is a user name.
  if (markdown.charAt(start) !== '[') {
    return /^(?:https?:\/\/[^/?#@]*(?:[/?#]|$)|mailto:)/i.test(address);
  }
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return false;
  }
  const label = toText(node).replace(/^https?:\/\//, '');
  // Joiners are invisible.
  const after = markdown.slice(end, end + 2 * url.host.length + 3).replaceAll('\u2060', '');
  return after.startsWith(` (${url.host})`) || (label.startsWith(url.host) && !/\s|^[^/]*@/.test(label));
}

function toText(node: Node): string {
  return node.value ?? (node.children ?? []).map(toText).join('');
}
