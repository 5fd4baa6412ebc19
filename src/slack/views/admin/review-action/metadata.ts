// What travels through the modals of a finding: read back strictly, because it decides what is acted on.
import { z } from 'zod';
import { MAX_METADATA_LENGTH } from '../../../web/limits.ts';

const stateSchema = z.object({
  schema: z.literal(1),
  id: z.string().min(1),
  place: z.object({ report: z.string(), page: z.int().min(0), key: z.string() }),
  replyTo: z.string().optional(),
});

/**
 * `id`: one per modal that was opened, so that a form that is sent twice is one decision. `replyTo`: where
 * the admin is answered in the end.
 */
export type ReviewFormState = Omit<z.infer<typeof stateSchema>, 'schema'>;

/** Throws where it does not fit: a place that came in a button does. */
export function encodeReviewForm({ id, place, replyTo }: ReviewFormState): string {
  const text = JSON.stringify({ schema: 1, id, place, replyTo });
  if (text.length > MAX_METADATA_LENGTH) throw new RangeError('the state of a modal does not fit into it');
  return text;
}

/** Undefined where it was not written by encodeReviewForm. */
export function parseReviewForm(text: string): ReviewFormState | undefined {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
