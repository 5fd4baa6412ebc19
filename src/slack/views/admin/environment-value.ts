// An environment as it travels in the buttons under it: its id decides what is looked up, its name is shown meanwhile.
import { z } from 'zod';
import { MAX_BUTTON_VALUE_LENGTH } from '../../web/limits.ts';
import { toLine } from '../shown-text.ts';

/** Opens the allocation of the environment; the value is read by parseEnvironmentValue. */
export const ALLOCATION_OPEN_ACTION = 'admin_allocation_open';

const environmentSchema = z.object({ environmentId: z.string().min(1), name: z.string() });

/** `name`: as its makers gave it, shortened; untrusted. */
export type EnvironmentValue = z.infer<typeof environmentSchema>;

/** Leaves room for the rest of what it stands in. */
const MAX_NAME_LENGTH = 100;

/** Undefined where it does not fit into a button. */
export function encodeEnvironment({ environmentId, name }: EnvironmentValue): string | undefined {
  const value = JSON.stringify({ environmentId, name: toLine(name, MAX_NAME_LENGTH) });
  return value.length <= MAX_BUTTON_VALUE_LENGTH ? value : undefined;
}

export function parseEnvironmentValue(text: string): EnvironmentValue | undefined {
  try {
    return environmentSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
