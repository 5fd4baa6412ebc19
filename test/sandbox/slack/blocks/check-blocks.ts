/** Block Kit as Slack documents it: https://docs.slack.dev/reference/block-kit/blocks */
import type { Block, Json } from '../records.ts';
import { checkElement, type Surface } from './check-elements.ts';
import { expandMarkdown } from './expand-markdown.ts';
import { isObject, type Problems } from './problems.ts';

type BlockCheck = (block: Json, pointer: string, problems: Problems, surface: Surface) => void;

const BLOCKS: Record<string, BlockCheck> = {
  section: checkSection,
  actions: checkActions,
  context: checkContext,
  context_actions: checkContextActions,
  divider: () => {},
  header: (block, pointer, problems) =>
    problems.textObject(block.text, `${pointer}/text`, { max: 150, plainOnly: true }),
  image: checkImage,
  input: checkInput,
  markdown: checkMarkdown,
  rich_text: (block, pointer, problems) =>
    void problems.list(block.elements, `${pointer}/elements`, { min: 1, max: 1000 }),
  video: (block, pointer, problems) =>
    problems.textObject(block.title, `${pointer}/title`, { max: 200, plainOnly: true }),
  alert: (block, pointer, problems) => problems.textObject(block.text, `${pointer}/text`, { max: 3000 }),
  table: checkTable,
  data_table: (block, pointer, problems) => {
    const count = Array.isArray(block.rows) ? block.rows.length : 0;
    if (count < 2 || count > 201) problems.add(`${pointer}/rows`, 'must be an array of 2 to 201 rows');
  },
  data_visualization: checkChart,
  card: () => {},
  carousel: (block, pointer, problems) =>
    void problems.list(block.elements, `${pointer}/elements`, { min: 1, max: 10 }),
  container: checkContainer,
  plan: (block, pointer, problems) => problems.text(block.title, `${pointer}/title`, 256),
  task_card: (block, pointer, problems) => problems.text(block.task_id, `${pointer}/task_id`, 255),
};

const MESSAGES_ONLY = new Set([
  'markdown',
  'context_actions',
  'container',
  'table',
  'data_table',
  'data_visualization',
  'plan',
  'task_card',
]);
const MAX_MARKDOWN = 12_000;

export function checkBlocks(blocks: unknown, surface: Surface, problems: Problems): void {
  const list = problems.list(blocks, '/blocks', { min: 0, max: surface === 'message' ? 50 : 100 });
  let markdown = 0;
  for (const [index, block] of list.entries()) {
    checkBlock(block, `/blocks/${index}`, surface, problems);
    if (block.type === 'markdown' && typeof block.text === 'string') markdown += block.text.length;
  }
  if (markdown > MAX_MARKDOWN)
    problems.add('/blocks', `markdown blocks must be less than ${MAX_MARKDOWN + 1} characters in all`);
}

function checkBlock(block: Json, pointer: string, surface: Surface, problems: Problems): void {
  const type = String(block.type);
  const check = BLOCKS[type];
  if (!check) return problems.add(`${pointer}/type`, `unsupported type: ${type}`);
  const misplaced = surface === 'message' ? type === 'alert' : MESSAGES_ONLY.has(type);
  if (misplaced) return problems.add(`${pointer}/type`, `${type} is not allowed in a ${surface}`);
  problems.optionalText(block.block_id, `${pointer}/block_id`, 255);
  problems.unique('block_id', block.block_id, `${pointer}/block_id`);
  check(block, pointer, problems, surface);
}

/** Bars alone, as the app has them: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
function checkChart(block: Json, pointer: string, problems: Problems): void {
  problems.text(block.title, `${pointer}/title`, 50);
  const { series, axis_config: axis } = (block.chart ?? {}) as { series?: unknown; axis_config?: Json };
  const categories = Array.isArray(axis?.categories) ? axis.categories : [];
  if (categories.length === 0) problems.add(`${pointer}/chart/axis_config/categories`, 'missing required field');
  for (const category of categories) problems.text(category, `${pointer}/chart/axis_config/categories`, 20);
  for (const one of problems.list(series, `${pointer}/chart/series`, { min: 1, max: 6 })) {
    const data = problems.list(one.data, `${pointer}/chart/series/data`, { min: 1, max: 20 });
    const labels = data.map(({ label }) => label);
    if (JSON.stringify(labels) !== JSON.stringify(categories)) {
      problems.add(`${pointer}/chart/series/data`, 'labels must match the categories');
    }
  }
}

function checkSection(block: Json, pointer: string, problems: Problems): void {
  if (block.text === undefined && block.fields === undefined) problems.add(pointer, 'text or fields required');
  if (block.text !== undefined) problems.textObject(block.text, `${pointer}/text`, { max: 3000 });
  if (block.fields !== undefined) {
    for (const [index, field] of problems.list(block.fields, `${pointer}/fields`, { min: 1, max: 10 }).entries()) {
      problems.textObject(field, `${pointer}/fields/${index}`, { max: 2000 });
    }
  }
  const accessory = block.accessory;
  if (isObject(accessory) && accessory.type !== 'image')
    checkElement(accessory, `${pointer}/accessory`, 'section', problems);
}

function checkActions(block: Json, pointer: string, problems: Problems): void {
  const own = new Set<unknown>();
  for (const [index, element] of problems.list(block.elements, `${pointer}/elements`, { min: 1, max: 25 }).entries()) {
    const at = `${pointer}/elements/${index}`;
    checkElement(element, at, 'actions', problems);
    if (element.action_id !== undefined && own.has(element.action_id)) {
      problems.add(`${at}/action_id`, `\`action_id\` ${String(element.action_id)} already exists`);
    }
    own.add(element.action_id);
  }
}

function checkContext(block: Json, pointer: string, problems: Problems): void {
  for (const [index, element] of problems.list(block.elements, `${pointer}/elements`, { min: 1, max: 10 }).entries()) {
    if (element.type !== 'image') problems.textObject(element, `${pointer}/elements/${index}`, { max: 3000 });
  }
}

function checkContextActions(block: Json, pointer: string, problems: Problems): void {
  for (const [index, element] of problems.list(block.elements, `${pointer}/elements`, { min: 1, max: 5 }).entries()) {
    checkElement(element, `${pointer}/elements/${index}`, 'context_actions', problems);
  }
}

function checkImage(block: Json, pointer: string, problems: Problems): void {
  problems.text(block.alt_text, `${pointer}/alt_text`, 2000);
  if (block.slack_file === undefined) problems.text(block.image_url, `${pointer}/image_url`, 3000);
}

function checkInput(block: Json, pointer: string, problems: Problems): void {
  problems.textObject(block.label, `${pointer}/label`, { max: 2000, plainOnly: true });
  if (block.hint !== undefined) problems.textObject(block.hint, `${pointer}/hint`, { max: 2000, plainOnly: true });
  if (isObject(block.element)) checkElement(block.element, `${pointer}/element`, 'input', problems);
  else problems.add(`${pointer}/element`, 'missing required field');
}

function checkMarkdown(block: Json, pointer: string, problems: Problems): void {
  problems.text(block.text, `${pointer}/text`, MAX_MARKDOWN);
  if (typeof block.text !== 'string') return;
  for (const expanded of expandMarkdown(block.text)) {
    if (expanded.type === 'table') checkTable(expanded, `${pointer}/text`, problems);
  }
}

/** https://docs.slack.dev/reference/block-kit/blocks/table-block */
const MAX_TABLE_CHARACTERS = 10_000;

function checkTable(block: Json, pointer: string, problems: Problems): void {
  if (!Array.isArray(block.rows)) return problems.add(`${pointer}/rows`, 'must be an array');
  if (block.rows.length > 100) problems.add(`${pointer}/rows`, 'no more than 100 items allowed');
  if (block.rows.some((row) => Array.isArray(row) && row.length > 20)) {
    problems.add(`${pointer}/rows`, 'no more than 20 columns allowed');
  }
  const characters = block.rows.flat().reduce((sum: number, cell) => sum + countCell(cell), 0);
  if (characters > MAX_TABLE_CHARACTERS) problems.add(`${pointer}/rows`, 'too large');
}

function countCell(cell: unknown): number {
  if (!isObject(cell)) return 0;
  if (typeof cell.text === 'string') return cell.text.length;
  return Array.isArray(cell.elements) ? cell.elements.reduce((sum: number, one) => sum + countCell(one), 0) : 0;
}

function checkContainer(block: Json, pointer: string, problems: Problems, surface: Surface): void {
  for (const [index, child] of problems
    .list(block.child_blocks, `${pointer}/child_blocks`, { min: 1, max: 10 })
    .entries()) {
    checkBlock(child as Block, `${pointer}/child_blocks/${index}`, surface, problems);
  }
}
