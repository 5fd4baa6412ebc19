// The state of a modal: in its private_metadata, or in the store if it is too long for that.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ExpiringStore } from '../../identity/account-link.ts';

export type KeepPorts = { once: Pick<ExpiringStore, 'put' | 'peek'>; now: () => number };

/** A working day. After that, the admin opens the form again. */
const KEPT_MS = 12 * 60 * 60 * 1000;

/**
 * Stores the state. `kind`: never rename it while states are kept. `id`: of the state to replace. Returns the id. Throws
 * StoreUnavailableError, as `readKept` does.
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

/** Where to answer a click in a modal. Its metadata is only that, or an object with it. See respond.ts. */
export function readReplyTo({ private_metadata: metadata }: { private_metadata: string }): string {
  return parseState(placeSchema, metadata)?.replyTo ?? metadata;
}

/** `text`: a modal's private_metadata or a button's value. Undefined: it is no JSON, or does not fit the schema. */
export function parseState<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
