// The buttons that open forms. Actions and values are written into messages: never rename.
import type { Button } from '@slack/types';
import { z } from 'zod';
import { buildButton, toLine } from '../../slack/views/content.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import type { SeenAgent } from '../inventory/inventory.ts';
import { parseState } from '../shell/modal-state.ts';

export const FORM_ACTIONS = {
  limit: 'form_limit',
  stop: 'form_stop',
  run: 'form_run',
  credits: 'form_credits',
  class: 'form_class',
} as const;

/** A button that opens a form. Undefined: its value did not fit. */
export function buildFormButton(
  form: keyof typeof FORM_ACTIONS,
  label: string,
  value: string | undefined,
): Button | undefined {
  return value === undefined ? undefined : buildButton(FORM_ACTIONS[form], label, value);
}

/** `typed`: the amount that was given with the command. */
export type PickedAgent = SeenAgent & { typed?: string | undefined };

/** `name`: as people call it; untrusted. */
export type PickedEnvironment = { environmentId: string; name: string; typed?: string | undefined };

const agentSchema = z.object({
  environmentId: z.string().min(1),
  agentId: z.string().min(1),
  resourceId: z.string().min(1),
  name: z.string(),
  environmentName: z.string().optional(),
  ownerId: z.string().optional(),
  isHarness: z.union([z.boolean(), z.literal('unknown')]),
});

const environmentSchema = z.object({ environmentId: z.string().min(1), name: z.string() });

const typedSchema = { typed: z.string().optional() };

/** Undefined: it does not fit into a button. */
export function encodeAgent({ typed, ...agent }: PickedAgent): string | undefined {
  return toValue({ ...shortenAgent(agent), typed });
}

export function parseAgent(value: string): PickedAgent | undefined {
  const agent = parseState(agentSchema.extend(typedSchema), value);
  return agent && { ...agent, environmentName: agent.environmentName, ownerId: agent.ownerId };
}

/** Undefined: it does not fit into a button. */
export function encodeEnvironment({ environmentId, name, typed }: PickedEnvironment): string | undefined {
  return toValue({ environmentId, name: toLine(name, MAX_NAME_LENGTH), typed });
}

export function parseEnvironment(value: string): PickedEnvironment | undefined {
  return parseState(environmentSchema.extend(typedSchema), value);
}

/** The value of a button that stops an agent, or all agents of an environment. */
export function parseStopTarget(value: string): PickedAgent | PickedEnvironment | undefined {
  return parseAgent(value) ?? parseEnvironment(value);
}

/** With names short enough for a button or a modal. */
function shortenAgent({ name, environmentName, ownerId, ...agent }: SeenAgent): SeenAgent {
  return {
    ...agent,
    name: toLine(name, MAX_NAME_LENGTH),
    environmentName: environmentName === undefined ? undefined : toLine(environmentName, MAX_NAME_LENGTH),
    ownerId,
  };
}

const MAX_NAME_LENGTH = 100;

function toValue(value: object): string | undefined {
  const text = JSON.stringify(value);
  return text.length <= MAX_BUTTON_VALUE_LENGTH ? text : undefined;
}
