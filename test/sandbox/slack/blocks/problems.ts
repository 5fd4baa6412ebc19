/** The parts of Block Kit's schemas, and what is wrong by them, in the manner of Slack's `response_metadata.messages`. */
import { z } from 'zod';

const orMissing =
  (problem: string) =>
  ({ input }: { input?: unknown }) =>
    input === undefined ? 'missing required field' : problem;

/** A required text of at most `max` characters. */
export const text = (max: number) =>
  z
    .string({ error: orMissing('must be a string') })
    .min(1, 'must be more than 0 characters')
    .max(max, `must be less than ${max + 1} characters`);

/** The same where it may be missing, or empty. */
export const optionalText = (max: number) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), text(max).optional());

/** An object with these fields, and any others. */
export const object = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.looseObject(shape, { error: orMissing('must be an object') });

/** A text object: `{ type, text }`. */
export const plainText = (max: number) =>
  object({ type: z.literal('plain_text', 'must be plain_text'), text: text(max) });

export const anyText = (max: number) =>
  object({
    type: z.enum(['plain_text', 'mrkdwn'], 'must be plain_text or mrkdwn'),
    text: text(max),
  }).refine(({ type, emoji }) => type !== 'mrkdwn' || emoji === undefined, {
    path: ['emoji'],
    error: 'is only for plain_text',
  });

/** A list of `min` to `max` entries. */
export const list = <S extends z.ZodType>(min: number, max: number, entry: S) =>
  z
    .array(entry, 'must be an array')
    .min(min, `no fewer than ${min} items allowed`)
    .max(max, `no more than ${max} items allowed`);

export const anything = z.unknown().optional();

/** An object whose type says by which schemas it is checked; `find` answers a text where that type may not be there. */
export const byType = (find: (type: string) => z.ZodType[] | string) =>
  object({}).superRefine((value, context) => {
    const found = find(String(value.type));
    if (typeof found === 'string') return context.addIssue({ code: 'custom', path: ['type'], message: found });
    for (const { path, message } of found.flatMap((schema) => schema.safeParse(value).error?.issues ?? []))
      context.addIssue({ code: 'custom', path, message });
  });

/** `root`: the JSON pointer of the value. */
export function findProblems(value: unknown, root: string, schema: z.ZodType): string[] {
  return (schema.safeParse(value).error?.issues ?? []).map(
    ({ message, path }) => `[ERROR] ${message} [json-pointer:${[root, ...path].join('/')}]`,
  );
}
