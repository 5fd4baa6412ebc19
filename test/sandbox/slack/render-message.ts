/** Messages and views as readable plain text, for terminals and for tests. */
import { decodeEntities } from './blocks/markup.ts';
import { isObject, toObjects, wordsOf } from './json.ts';
import type { Block, Json, Message, View } from './records.ts';
import { renderInput, renderInteractive } from './render-element.ts';
import { renderRichText } from './render-rich-text.ts';

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
function renderMrkdwn(text: string, names: Names = () => undefined): string {
  const live = text.replace(/<([^<>\n]+)>/g, (whole, inside: string) => {
    const [target = '', label] = inside.split(/\|(.*)/s);
    if (target.startsWith('@')) return `@${names(target.slice(1)) ?? label ?? target.slice(1)}`;
    if (target.startsWith('#')) return `#${names(target.slice(1)) || label || target.slice(1)}`;
    if (target.startsWith('!')) return `@${label ?? target.slice(1)}`;
    if (!/^[a-z]+:/i.test(target)) return whole;
    return label === undefined || label === target ? target : `${label} (${target})`;
  });
  return decodeEntities(live);
}
