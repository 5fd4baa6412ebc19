/** Modals and home tabs: https://docs.slack.dev/reference/views */
import { z } from 'zod';
import { toObjects } from '../json.ts';
import type { Json } from '../records.ts';
import { blocksOn } from './check-blocks.ts';
import { anything, findProblems, optionalText, plainText } from './problems.ts';

const MAX_VIEW_BYTES = 250_000;

const COMMON = {
  submit: plainText(24).optional(),
  close: plainText(24).optional(),
  private_metadata: optionalText(3000),
  callback_id: optionalText(255),
  external_id: optionalText(255),
  clear_on_close: anything,
  notify_on_close: anything,
  submit_disabled: anything,
};

const VIEWS = {
  modal: z
    .strictObject({ ...COMMON, type: z.literal('modal'), title: plainText(24), blocks: blocksOn('modal') })
    .refine(({ submit, blocks }) => submit !== undefined || !toObjects(blocks).some(({ type }) => type === 'input'), {
      path: ['submit'],
      error: 'a modal with input blocks requires submit',
    }),
  home: z.strictObject({ ...COMMON, type: z.literal('home'), title: anything, blocks: blocksOn('home') }),
};

/** Answers what is wrong with the view; nothing where it is fine. */
export function checkView(view: Json, expected: 'modal' | 'home'): string[] {
  const isTooLarge = JSON.stringify(view).length > MAX_VIEW_BYTES;
  return [
    ...findProblems(view, '/view', VIEWS[expected]),
    ...(isTooLarge ? ['[ERROR] too large [json-pointer:/view]'] : []),
  ];
}
