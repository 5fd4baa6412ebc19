import { isObject, toObjects } from './json.ts';
import type { Json } from './records.ts';

type Names = (id: string) => string | undefined;

export function renderRichText(block: Json, names: Names): string {
  return toObjects(block.elements)
    .map((element) => renderPart(element, names))
    .join('\n');
}

function renderPart(element: Json, names: Names): string {
  const inline = () =>
    toObjects(element.elements)
      .map((one) => renderInline(one, names))
      .join('');
  if (element.type === 'rich_text_list')
    return toObjects(element.elements)
      .map((item) => `• ${renderPart(item, names)}`)
      .join('\n');
  if (element.type === 'rich_text_quote') return inline().replace(/^/gm, '> ');
  if (element.type === 'rich_text_preformatted') return `\`\`\`\n${inline()}\n\`\`\``;
  return inline();
}

function renderInline(element: Json, names: Names): string {
  switch (element.type) {
    case 'link':
      return element.text === undefined || element.text === element.url
        ? String(element.url)
        : `${String(element.text)} (${String(element.url)})`;
    case 'user':
      return `@${names(String(element.user_id)) ?? String(element.user_id)}`;
    case 'channel':
      return `#${names(String(element.channel_id)) ?? String(element.channel_id)}`;
    case 'broadcast':
      return `@${String(element.range)}`;
    case 'emoji':
      return `:${String(element.name)}:`;
    default:
      return isObject(element.style) && element.style.code === true
        ? `\`${String(element.text)}\``
        : String(element.text ?? '');
  }
}
