// What travels with a limit through Slack, in buttons and modals: read back strictly, because it decides what is set.
import { z } from 'zod';
import type { GovernedAgent, KnownLimit } from '../../../../governance/inventory/agent-limit.ts';
import { shortenNames } from '../../../../governance/limits/limit-words.ts';
import { MAX_BUTTON_VALUE_LENGTH, MAX_METADATA_LENGTH } from '../../../web/limits.ts';

/** `replyTo`: wherever the caller wants to answer in the end; carried as it is. */
export type LimitFormState = { agent: GovernedAgent; known: KnownLimit; replyTo?: string | undefined };

const agentSchema = z.object({
  environmentId: z.string(),
  agentResourceId: z.string(),
  name: z.string(),
  displayName: z.string(),
  environmentName: z.string().optional(),
});

const limitSchema = z.object({
  limit: z.number(),
  notify: z.boolean(),
  notificationThreshold: z.number(),
  stopWhenReached: z.boolean(),
  stopped: z.union([z.boolean(), z.literal('unknown')]),
});

const knownSchema = z.discriminatedUnion('source', [
  z.object({
    source: z.literal('deployment'),
    limit: limitSchema,
    consumption: z.number().optional(),
    readAt: z.number(),
  }),
  z.object({ source: z.literal('none'), readAt: z.number() }),
  z.object({ source: z.literal('last_set'), limit: limitSchema, setAt: z.number(), setBy: z.string() }),
  z.object({ source: z.literal('unknown'), stopped: z.boolean().optional() }),
]);

const formSchema = z.object({
  schema: z.literal(1),
  agent: agentSchema,
  known: knownSchema,
  replyTo: z.string().optional(),
});

/** Throws where it does not fit: with ids of up to 256 characters and a short `replyTo` it does. */
export function encodeLimitState(state: LimitFormState): string {
  const text = JSON.stringify({ schema: 1, ...state, agent: shortenNames(state.agent) });
  if (text.length > MAX_METADATA_LENGTH) throw new RangeError('the state of a modal does not fit into it');
  return text;
}

/** Undefined where it was not written by encodeLimitState. */
export function parseLimitFormState(text: string): LimitFormState | undefined {
  return formSchema.safeParse(parseJson(text)).data;
}

/** The value of a button that sets this agent's limit; undefined where it does not fit into one. */
export function encodeAgent(agent: GovernedAgent): string | undefined {
  const value = JSON.stringify(shortenNames(agent));
  return value.length <= MAX_BUTTON_VALUE_LENGTH ? value : undefined;
}

export function parseAgentValue(value: string): GovernedAgent | undefined {
  return agentSchema.safeParse(parseJson(value)).data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The value of each is read by parseAgentValue. */
export const SET_LIMIT_ACTION = 'admin_limit_set';
