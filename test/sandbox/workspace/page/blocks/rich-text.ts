/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
import { html, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import type { BlockContext } from './context.ts';
import { fromCodes, renderEmoji, renderPlain, SIGNS } from './emoji-signs.ts';
import { isObject, renderLink, renderMention, toObjects, toWords } from './parts.ts';

type Drawn = string | TemplateResult;

/** A text object, or words. What was marked up has come as rich text. */
export function renderText(text: unknown, context: BlockContext): TemplateResult {
  if (isObject(text) && text.type === 'rich_text') return renderRichText(text, context);
  return html`<span class="words">${renderPlain(toWords(text))}</span>`;
}

export function renderRichText(block: Json, context: BlockContext): TemplateResult {
  return html`<div class="words">${toObjects(block.elements).map((part) => renderPart(part, context))}</div>`;
}

function renderPart(part: Json, context: BlockContext): TemplateResult {
  const children = toObjects(part.elements);
  const inline = () => children.map((one) => renderInline(one, context));
  switch (part.type) {
    case 'rich_text_list': {
      const items = children.map((item) => html`<li>${renderPart(item, context)}</li>`);
      const level = `list level-${Math.min(Number(part.indent ?? 0), 3)}`;
      return part.style === 'ordered'
        ? html`<ol class=${level} start=${Number(part.offset ?? 0) + 1}>${items}</ol>`
        : html`<ul class=${level}>${items}</ul>`;
    }
    case 'rich_text_quote':
      return html`<blockquote>${inline()}</blockquote>`;
    case 'rich_text_preformatted':
      return html`<pre class="code"><code>${inline()}</code></pre>`;
    case 'rich_text_section':
      return html`<div>${inline()}</div>`;
    default:
      return html`<p class="unknown">A part of the type ${String(part.type)}, which this client cannot draw.</p>`;
  }
}

function renderInline(element: Json, context: BlockContext): Drawn {
  const style = isObject(element.style) ? element.style : {};
  let drawn = renderPlainInline(element, context);
  if (style.code) drawn = html`<code>${drawn}</code>`;
  if (style.bold) drawn = html`<strong>${drawn}</strong>`;
  if (style.italic) drawn = html`<em>${drawn}</em>`;
  if (style.strike) drawn = html`<s>${drawn}</s>`;
  if (style.underline) drawn = html`<u>${drawn}</u>`;
  return drawn;
}

function renderNamed(name: string, unicode: unknown): Drawn {
  return typeof unicode === 'string' && !(name in SIGNS) ? fromCodes(unicode) : renderEmoji(name);
}

function renderPlainInline(element: Json, context: BlockContext): Drawn {
  const named = (mark: string, id: unknown) => renderMention(`${mark}${context.names(String(id)) ?? String(id)}`);
  switch (element.type) {
    case 'text':
      return String(element.text ?? '');
    case 'link':
      return renderLink(String(element.url), String(element.text || element.url));
    case 'user':
      return named('@', element.user_id);
    case 'usergroup':
      return named('@', element.usergroup_id);
    case 'channel':
      return named('#', element.channel_id);
    case 'broadcast':
      return renderMention(`@${String(element.range)}`);
    case 'emoji':
      return renderNamed(String(element.name), element.unicode);
    default:
      return `[${String(element.type)}]`;
  }
}
