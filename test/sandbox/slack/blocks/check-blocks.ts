/** Block Kit as Slack documents it: https://docs.slack.dev/reference/block-kit/blocks */
import { z } from 'zod';
import { isObject, toObjects } from '../json.ts';
import type { Json } from '../records.ts';
import { elementIn } from './check-elements.ts';
import { expandMarkdown } from './expand-markdown.ts';
import { anyText, anything, byType, findProblems, list, object, optionalText, plainText, text } from './problems.ts';

export type Surface = 'message' | 'modal' | 'home';

const MAX_MARKDOWN = 12_000;

const SECTION = object({
  text: anyText(3000).optional(),
  fields: list(1, 10, anyText(2000)).optional(),
  accessory: elementIn('section').optional(),
}).refine(({ text, fields }) => text !== undefined || fields !== undefined, 'text or fields required');

const ACTIONS = list(1, 25, elementIn('actions')).superRefine((elements, context) =>
  refuseTwins('action_id', toObjects(elements), context),
);

/** https://docs.slack.dev/reference/block-kit/blocks/table-block */
const ROWS = list(0, 100, anything)
  .refine((rows) => !rows.some((row) => Array.isArray(row) && row.length > 20), 'no more than 20 columns allowed')
  .refine((rows) => rows.flat().reduce((sum: number, cell) => sum + countCell(cell), 0) <= 10_000, 'too large');

function countCell(cell: unknown): number {
  if (!isObject(cell)) return 0;
  if (typeof cell.text === 'string') return cell.text.length;
  return toObjects(cell.elements).reduce((sum, one) => sum + countCell(one), 0);
}

const MARKDOWN = text(MAX_MARKDOWN).superRefine((markdown, context) => {
  const tables = expandMarkdown(markdown).filter(({ type }) => type === 'table');
  for (const { message } of tables.flatMap(({ rows }) => ROWS.safeParse(rows).error?.issues ?? []))
    context.addIssue({ code: 'custom', message });
});

/** Bars alone: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const CHART = object({
  axis_config: object({ categories: list(1, 20, text(20)) }),
  series: list(1, 6, object({ data: list(1, 20, object({ label: anything })) })),
}).refine(({ axis_config: { categories }, series }) => {
  const isSame = (data: { label?: unknown }[]) => String(data.map(({ label }) => label)) === String(categories);
  return series.every(({ data }) => isSame(data));
}, 'labels must match the categories');

const IMAGE = object({ alt_text: text(2000), image_url: optionalText(3000), slack_file: anything }).refine(
  ({ image_url, slack_file }) => image_url !== undefined || slack_file !== undefined,
  { path: ['image_url'], error: 'missing required field' },
);

const BLOCKS: Readonly<Record<string, z.ZodType>> = {
  section: SECTION,
  actions: object({ elements: ACTIONS }),
  context: object({
    elements: list(
      1,
      10,
      byType((type) => (type === 'image' ? [] : [anyText(3000)])),
    ),
  }),
  context_actions: object({ elements: list(1, 5, elementIn('context_actions')) }),
  divider: anything,
  header: object({ text: plainText(150) }),
  image: IMAGE,
  input: object({ label: plainText(2000), hint: plainText(2000).optional(), element: elementIn('input') }),
  markdown: object({ text: MARKDOWN }),
  rich_text: object({ elements: list(1, 1000, object({})) }),
  video: object({ title: plainText(200) }),
  alert: object({ text: anyText(3000) }),
  table: object({ rows: ROWS }),
  data_table: object({ rows: list(2, 201, anything) }),
  data_visualization: object({ title: text(50), chart: CHART }),
  card: anything,
  carousel: object({ elements: list(1, 10, object({})) }),
  container: object({ child_blocks: z.lazy(() => list(1, 10, blockOn('message'))) }),
  plan: object({ title: text(256) }),
  task_card: object({ task_id: text(255) }),
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

const EVERY = object({ block_id: optionalText(255) });

function blockOn(surface: Surface): z.ZodType {
  return byType((type) => {
    const schema = BLOCKS[type];
    if (!schema) return `unsupported type: ${type}`;
    const misplaced = surface === 'message' ? type === 'alert' : MESSAGES_ONLY.has(type);
    return misplaced ? `${type} is not allowed in a ${surface}` : [EVERY, schema];
  });
}

/** All blocks of a message or a view. */
export function blocksOn(surface: Surface): z.ZodType {
  return list(0, surface === 'message' ? 50 : 100, blockOn(surface)).superRefine((blocks, context) => {
    const all = withChildren(blocks);
    refuseTwins('block_id', all, context);
    const markdown = all.reduce((sum, { type, text }) => sum + (type === 'markdown' ? String(text).length : 0), 0);
    if (markdown > MAX_MARKDOWN) {
      const message = `markdown blocks must be less than ${MAX_MARKDOWN + 1} characters in all`;
      context.addIssue({ code: 'custom', message });
    }
  });
}

const IN_MESSAGES = blocksOn('message');

/** Answers what is wrong with the blocks of a message, one by one. */
export function checkBlocks(blocks: unknown): string[] {
  return findProblems(blocks, '/blocks', IN_MESSAGES);
}

function withChildren(blocks: unknown): Json[] {
  return toObjects(blocks).flatMap((block) => [block, ...withChildren(block.child_blocks)]);
}

function refuseTwins(name: string, objects: Json[], context: z.RefinementCtx): void {
  const ids = objects.map((one) => one[name]).filter((id) => id !== undefined);
  for (const id of ids.filter((id, index) => ids.indexOf(id) < index))
    context.addIssue({ code: 'custom', path: [name], message: `\`${name}\` ${String(id)} already exists` });
}
