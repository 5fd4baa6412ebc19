// What people see of a Markdown text, as another parser than the app's reads it: for comparing an answer with what is sent.
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

type Node = {
  type: string;
  value?: string;
  url?: string;
  alt?: string | null;
  lang?: string | null;
  depth?: number;
  ordered?: boolean | null;
  start?: number | null;
  checked?: boolean | null;
  align?: (string | null)[] | null;
  identifier?: string;
  children?: Node[];
};

/** `toCode`: as Slack shows code that says this. */
type Reading = { toAddress(url: string): string | undefined; toCode(code: string): string };

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** The form of what a service wrote, as it should be shown: images as links, HTML as text, labels of other addresses. */
export function readWritten(markdown: string): string[] {
  return readForm(markdown, { toAddress: toHttp, toCode: (code) => code });
}

/** The form of what is sent in one or several messages. Hosts are shown behind links, signs that nobody sees in words. */
export function readSent(...parts: string[]): string[] {
  const form = parts.flatMap((part) => readForm(part, { toAddress: toHttp, toCode: decodeEntities }));
  return form.map((line) =>
    line
      .replace(/<\/a> \((?:<a \S+>)?[^()\s]+\)/g, '</a>')
      .replaceAll('\u2060', '')
      .replaceAll('\u02cb', '`'),
  );
}

/** One line for each heading, paragraph, item, cell, line of code, with all that it is in. */
function readForm(markdown: string, { toAddress, toCode }: Reading): string[] {
  const root = parser.parse(markdown) as Node;
  const addresses = new Map<string, string>();
  const lines: string[] = [];
  visit(root, (node) => {
    if (node.type === 'definition')
      addresses.set(node.identifier ?? '', addresses.get(node.identifier ?? '') ?? node.url ?? '');
  });

  const READERS: Record<string, (node: Node, around: string) => void> = {
    list: ({ ordered, start, children = [] }, around) =>
      children.forEach((item, index) => {
        const place = `${around}${ordered ? (start ?? 1) + index : '-'} `;
        if (item.children?.length === 0) lines.push(place);
        readAll(item, typeof item.checked === 'boolean' ? `${place}[${item.checked ? 'x' : ' '}] ` : place);
      }),
    code: ({ value = '', lang }, around) => {
      for (const line of toCode(value).split('\n')) lines.push(`${around}code ${lang ?? ''}: ${line}`);
    },
    table: ({ align, children = [] }, around) => {
      for (const row of children) {
        const cells = (row.children ?? []).map((cell, index) => `${align?.[index] ?? ''}|${readInline(cell)}`);
        lines.push(`${around}row ${cells.join(' ')}`);
      }
    },
    heading: (node, around) => lines.push(`${around}h${node.depth} ${readInline(node)}`),
    paragraph: (node, around) => lines.push(around + readInline(node)),
    html: ({ value = '' }, around) => lines.push(around + squeeze(value)),
    thematicBreak: (_, around) => lines.push(`${around}---`),
    blockquote: (node, around) => readAll(node, `${around}> `),
  };

  function readAll({ children = [] }: Node, around: string): void {
    for (const child of children) READERS[child.type]?.(child, around);
  }

  function readInline({ children = [] }: Node): string {
    return squeeze(children.map(readSpan).join(''));
  }

  function readSpan(node: Node): string {
    const { type, value = '', alt, children = [] } = node;
    const inner = children.map(readSpan).join('');
    if (type === 'break' || /^<br\s*\/?>$/i.test(value)) return ' ';
    if (type === 'inlineCode') return `<code>${toCode(value)}</code>`;
    if (/^(?:link|image)/.test(type)) return toLink(alt ?? inner, node.url ?? addresses.get(node.identifier ?? ''));
    return children.length > 0 ? `<${type}>${inner}</${type}>` : value;
  }

  /** An address that stands in the text is text. Within a link there is no other. */
  function toLink(label: string, url: string | undefined): string {
    const href = url && toAddress(url);
    return href === undefined || toHttp(label) === href
      ? label
      : `<a ${href}>${label.replace(/<\/?a\b[^>]*>/g, '')}</a>`;
  }

  readAll(root, '');
  return lines;
}

/** Encoding is no change of an address. */
function toHttp(url: string): string | undefined {
  return /^https?:/i.test(url)
    ? URL.parse(url)
        ?.href.replace(/[()|]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
        .toLowerCase()
    : undefined;
}

function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function visit(node: Node, look: (node: Node) => void): void {
  look(node);
  for (const child of node.children ?? []) visit(child, look);
}
