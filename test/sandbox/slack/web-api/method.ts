/** How a Web API method of the sandbox is described: its arguments, the scope it needs, what it does. */
import { z } from 'zod';
import type { Install } from '../installs.ts';
import type { Json } from '../records.ts';
import type { World } from '../world.ts';

/** Answered as `{ ok: false, error }`. */
export class SlackApiError extends Error {
  readonly code: string;
  readonly details: Json;

  constructor(code: string, details: Json = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

export type Method = {
  parse(args: Json): { success: true; data: unknown } | { success: false; error: z.ZodError };
  /** Any one of them is enough; none: no scope needed. */
  scopes: readonly string[];
  /** `install`: whose token came with the call. */
  run(args: never, world: World, install: Install): Json | Promise<Json>;
};

/** Only these arguments are accepted; `token` and `team_id` may always be there. */
export function method<S extends z.core.$ZodLooseShape>(
  scopes: readonly string[],
  shape: S,
  run: (args: z.output<z.ZodObject<S>>, world: World, install: Install) => Json | Promise<Json>,
): Method {
  const schema = z.strictObject({ token: z.string().optional(), team_id: z.string().optional(), ...shape });
  return { scopes, parse: (args) => schema.safeParse(args), run: run as Method['run'] };
}

/** Structured arguments arrive as JSON, or as JSON in a form field. */
function structured<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), schema);
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const text = z.string();
/** Under another name, or with another picture. */
export const CUSTOM = { username: text.optional(), icon_emoji: text.optional(), icon_url: text.optional() };
/** Form fields are texts, so `1` and `true` come as such. */
export const flag = z.preprocess(
  (value) => (value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value),
  z.boolean(),
);
export const number = z.coerce.number();
export const objects = structured(z.array(z.looseObject({})));
export const object = structured(z.looseObject({}));
export const texts = structured(z.array(z.string()));
