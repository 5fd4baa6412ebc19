/** Messages and views as readable plain text, for terminals and for tests. */
import { decodeEntities } from './blocks/markup.ts';
import { readBracket } from './blocks/mrkdwn.ts';
import { isObject, toObjects, wordsOf } from './json.ts';
import type { Block, Json, Message, View } from './records.ts';
import { fieldOf, initialValue } from './view-values.ts';

/** What is to be said instead of an id; the id itself where there is no name. */
export type Names = (id: string) => string | undefined;

export function renderMessage(
  message: Pick<Message, 'text' | 'blocks'> & Partial<Message>,
  names: Names = () => undefined,
): string {
  const body = message.blocks.length > 0 ? renderBlocks(message.blocks, names) : renderMrkdwn(message.text, names);
  const files = (message.files ?? []).map((file) => `[file: ${String(file.name)}]`);
  return [body, ...files].filter((line) => line !== '').join('\n');
}

export function renderView(view: View, names: Names = () => undefined): string {
  const title = isObject(view.title) ? `── ${String(view.title.text)} ──` : '── Home ──';
  const buttons = [view.close, view.submit].filter(isObject).map((button) => `[${String(button.text)}]`);
  return [title, renderBlocks(view.blocks, names, view), buttons.join(' ')].filter((line) => line !== '').join('\n');
}

function renderBlocks(blocks: Block[], names: Names, view?: View): string {
  return blocks
    .map((block) => renderBlock(block, names, view))
    .filter((text) => text !== '')
    .join('\n');
}

type Render = (block: Block, names: Names, view: View | undefined) => string;

const RENDER: Record<string, Render> = {
  markdown: (block, names) => renderMrkdwn(String(block.text), names),
  section: renderSection,
  header: (block) => `# ${wordsOf(block.text) ?? ''}`,
  divider: () => '────────',
  context: (block, names) =>
    `  · ${toObjects(block.elements)
      .map((one) => renderText(one, names))
      .join(' · ')}`,
  actions: renderActions,
  context_actions: renderActions,
  input: (block, names, view) => renderInput(block, view, isObject(block.hint) ? renderText(block.hint, names) : ''),
  rich_text: (block, names) => renderRichText(block, names),
  table: (block, names) => renderTable(block, names),
};

function renderBlock(block: Block, names: Names, view: View | undefined): string {
  return RENDER[block.type]?.(block, names, view) ?? `[${block.type}]`;
}

function renderActions(block: Block, _: Names, view: View | undefined): string {
  return toObjects(block.elements)
    .map((element) => renderInteractive(block, element, view))
    .join(' ');
}

function renderSection(block: Block, names: Names, view: View | undefined): string {
  const texts = [block.text, ...toObjects(block.fields)].filter(isObject).map((text) => renderText(text, names));
  const accessory = isObject(block.accessory) ? ` ${renderInteractive(block, block.accessory, view)}` : '';
  return `${texts.join('\n')}${accessory}`;
}

function renderTable(block: Block, names: Names): string {
  const cell = (one: Json) => (one.type === 'rich_text' ? renderRichText(one as Block, names) : String(one.text ?? ''));
  return (Array.isArray(block.rows) ? block.rows : []).map((row) => toObjects(row).map(cell).join(' | ')).join('\n');
}

function renderText(text: unknown, names: Names): string {
  if (!isObject(text)) return '';
  return text.type === 'plain_text' ? String(text.text) : renderMrkdwn(String(text.text), names);
}

/** `<@U1>` becomes `@ana`, `<https://a.example|A>` becomes `A (https://a.example)`, entities become characters. */
function renderMrkdwn(text: string, names: Names): string {
  const parts = text.split(/<([^<>\n]+)>/);
  return parts
    .map((part, index) => (index % 2 === 0 ? decodeEntities(part) : renderInline(readBracket(part), names)))
    .join('');
}

function renderRichText(block: Json, names: Names): string {
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
    case 'usergroup':
      return `@${names(String(element.usergroup_id)) ?? String(element.usergroup_id)}`;
    case 'broadcast':
      return `@${String(element.range)}`;
    case 'date':
      return String(element.fallback);
    case 'emoji':
      return `:${String(element.name)}:`;
    default:
      return isObject(element.style) && element.style.code === true
        ? `\`${String(element.text)}\``
        : String(element.text ?? '');
  }
}

/** `[Button]`, `(chosen ▾)`, `[x] option`. */
function renderInteractive(block: Block, element: Json, view: View | undefined): string {
  if (element.type === 'feedback_buttons') {
    return [element.positive_button, element.negative_button]
      .filter(isObject)
      .map((button) => `[${wordsOf(button.text)}]`)
      .join(' ');
  }
  if (element.type === 'button') return `[${wordsOf(element.text)}]`;
  const value = currentValue(block, element, view);
  if (element.type === 'checkboxes' || element.type === 'radio_buttons') return renderChoices(element, value);
  const shown = renderValue(value);
  const placeholder = wordsOf(element.placeholder) ?? '';
  return String(element.type).includes('input')
    ? `[${shown || placeholder || ' '}]`
    : `(${shown || placeholder || '–'} ▾)`;
}

function renderInput(block: Block, view: View | undefined, hint: string): string {
  const element = isObject(block.element) ? block.element : {};
  const optional = block.optional === true ? ' (optional)' : '';
  const below = hint === '' ? '' : `\n  · ${hint}`;
  return `${wordsOf(block.label) ?? ''}${optional}: ${renderInteractive(block, element, view)}${below}`;
}

function currentValue(block: Block, element: Json, view: View | undefined): unknown {
  const entered = view?.entered[String(block.block_id)]?.[String(element.action_id)];
  return (entered ?? initialValue(element))[fieldOf(element)];
}

function renderValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(renderValue).join(', ');
  return isObject(value) ? (wordsOf(value.text) ?? '') : String(value);
}

function renderChoices(element: Json, value: unknown): string {
  const chosen = (Array.isArray(value) ? value : [value]).filter(isObject).map((option) => option.value);
  const marks = element.type === 'checkboxes' ? (['[x]', '[ ]'] as const) : (['(•)', '( )'] as const);
  return toObjects(element.options)
    .map((option) => `${chosen.includes(option.value) ? marks[0] : marks[1]} ${wordsOf(option.text)}`)
    .join('  ');
}
