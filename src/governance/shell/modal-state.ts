// What a modal carries, or what is kept until it is sent: that may be longer than what a modal can carry.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ExpiringStore } from '../../identity/account-link.ts';

export type KeepPorts = { once: Pick<ExpiringStore, 'put' | 'peek'>; now: () => number };

/** A working day. After that, the admin opens the form again. */
const KEPT_MS = 12 * 60 * 60 * 1000;

/**
 * `kind`: what it is, as long as it is kept: never rename. `id`: of what it takes the place of. Returns its id. Throws
 * StoreUnavailableError, as reading does.
 */
export async function keep(
  kind: string,
  value: unknown,
  { once, now }: KeepPorts,
  id: string = randomUUID(),
): Promise<string> {
  await once.put(`${kind}:${id}`, JSON.stringify(value), now() + KEPT_MS);
  return id;
}

/** Undefined: never kept, or too old. It is not deleted, so that a second click finds it as well. */
export async function readKept<T>(kind: string, id: string, { once }: Pick<KeepPorts, 'once'>): Promise<T | undefined> {
  const kept = await once.peek(`${kind}:${id}`);
  return kept === undefined ? undefined : (JSON.parse(kept) as T);
}

const placeSchema = z.object({ replyTo: z.string() });

/** Where to answer what is clicked in a modal: it carries that alone, or with more. See respond.ts. */
export function readReplyTo({ private_metadata: metadata }: { private_metadata: string }): string {
  return parseState(placeSchema, metadata)?.replyTo ?? metadata;
}

/** Of a modal's private_metadata or a button's value. Undefined where it is no JSON, or not of this shape. */
export function parseState<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
