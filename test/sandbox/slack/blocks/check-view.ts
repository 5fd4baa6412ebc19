/** Modals and home tabs: https://docs.slack.dev/reference/views */
import type { Json } from '../records.ts';
import { checkBlocks } from './check-blocks.ts';
import { createProblems } from './problems.ts';

const FIELDS = [
  'type',
  'title',
  'blocks',
  'close',
  'submit',
  'private_metadata',
  'callback_id',
  'clear_on_close',
  'notify_on_close',
  'external_id',
  'submit_disabled',
];
const MAX_VIEW_BYTES = 250_000;

/** Answers what is wrong with the view; nothing where it is fine. */
export function checkView(view: Json, expected: 'modal' | 'home'): string[] {
  const problems = createProblems();
  if (view.type !== expected) problems.add('/view/type', `must be ${expected}`);
  for (const field of Object.keys(view)) {
    if (!FIELDS.includes(field)) problems.add(`/view/${field}`, 'unknown field');
  }
  if (expected === 'modal') problems.textObject(view.title, '/view/title', { max: 24, plainOnly: true });
  for (const field of ['submit', 'close'] as const) {
    if (view[field] !== undefined) problems.textObject(view[field], `/view/${field}`, { max: 24, plainOnly: true });
  }
  problems.optionalText(view.private_metadata, '/view/private_metadata', 3000);
  problems.optionalText(view.callback_id, '/view/callback_id', 255);
  problems.optionalText(view.external_id, '/view/external_id', 255);
  checkBlocks(view.blocks, expected, problems);
  if (expected === 'modal' && view.submit === undefined && hasInput(view.blocks)) {
    problems.add('/view/submit', 'a modal with input blocks requires submit');
  }
  if (JSON.stringify(view).length > MAX_VIEW_BYTES) problems.add('/view', 'too large');
  return problems.messages;
}

function hasInput(blocks: unknown): boolean {
  return Array.isArray(blocks) && blocks.some((block) => block?.type === 'input');
}
