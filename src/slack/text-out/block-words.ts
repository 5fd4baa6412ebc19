/** Elements of rich text that begin on a new line. */
const LINES = new Set(['rich_text_section', 'rich_text_preformatted', 'rich_text_quote']);

/** The text of blocks, without markup. */
export function toWords(node: unknown): string {
  if (Array.isArray(node)) return node.map(toWords).join('');
  if (typeof node !== 'object' || node === null) return '';
  const { type, text, url, ...rest } = node as Record<string, unknown>;
  const own = typeof text === 'string' ? text : typeof url === 'string' ? url : toWords(text);
  const words = own + Object.values(rest).map(toWords).join('');
  const endsLine = LINES.has(String(type)) || 'block_id' in node || isBlock(String(type));
  return words !== '' && endsLine ? `${words}\n` : words;
}

function isBlock(type: string): boolean {
  return ['header', 'section', 'context', 'markdown', 'table', 'rich_text'].includes(type);
}
