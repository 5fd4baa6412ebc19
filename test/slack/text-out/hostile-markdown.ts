import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { generateAnswer } from './generated-answer.ts';

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

/** What a Markdown reader would find in a text that must not be there: links that lie, images, HTML, brackets. */
export function findDangers(markdown: string): string[] {
  const dangers = /<|&#0*60;|\]\((?!https?:)(?=[^)\s]*:)/.exec(withoutCode(markdown)) ? ['control character'] : [];
  if (markdown.includes('<')) {
    dangers.push('bracket');
  }
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

// As a simple reader does: fences of backticks and code within one line, and nothing else.
function withoutCode(markdown: string): string {
  let fence = '';
  const lines = markdown.split('\n').filter((line) => {
    const opening = /^(?:[\s>]|[-*+]\s|\d+[.)]\s)*(`{3,})(?=[^`]*$)/.exec(line)?.[1] ?? '';
    const closing = /^[\s>]*(`{3,})\s*$/.exec(line)?.[1] ?? '';
    const isFence = fence === '' ? opening !== '' : closing.startsWith(fence);
    if (isFence) {
      fence = fence === '' ? opening : '';
    }
    return !isFence && fence === '';
  });
  return lines.map((line) => line.replace(/`[^`]+`/g, '')).join('\n');
}
