import { z } from 'zod';

/** Slack's ids: https://docs.slack.dev/reference/objects */
const id = z.string().regex(/^[A-Z0-9]{2,30}$/);

/** What we need of each kind of payload before Bolt may have it; the listeners look closer. */
const event = z
  .object({
    event: z.object({ type: z.string() }),
    // What concerns a whole organisation names its enterprise and no team.
    team_id: id.nullish(),
    enterprise_id: id.nullish(),
    event_id: z.string(),
    authorizations: z.array(z.object({})).optional(),
  })
  .refine(({ team_id, enterprise_id }) => team_id ?? enterprise_id);

const command = z.object({
  command: z.string().startsWith('/'),
  team_id: id,
  user_id: id,
  channel_id: id,
  trigger_id: z.string(),
  text: z.string(),
});

const interaction = z.object({
  type: z.enum(['block_actions', 'message_action', 'shortcut', 'view_submission', 'view_closed', 'block_suggestion']),
  user: z.object({ id }),
  team: z.object({ id }).nullable(),
});

/** By block and action: what was typed, beside what was chosen. */
const values = z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() })));

const view = z.object({
  view: z.object({
    id: z.string(),
    callback_id: z.string(),
    private_metadata: z.string().optional(),
    state: z.object({ values }).optional(),
  }),
});

const actions = z.object({
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).nonempty(),
});

const shortcut = z.object({ callback_id: z.string(), trigger_id: z.string() });

const messageShortcut = shortcut.extend({
  channel: z.object({ id }),
  message: z.object({ ts: z.string() }),
});

/** Whether this is one of the payloads that Slack sends an app, complete enough to be handed on. */
export function isSlackPayload(body: Record<string, unknown>): boolean {
  if ('event' in body) return event.safeParse(body).success;
  if ('command' in body) return command.safeParse(body).success;
  if (!interaction.safeParse(body).success) return false;
  if (body.type === 'block_actions') return actions.safeParse(body).success;
  if (body.type === 'view_submission' || body.type === 'view_closed') return view.safeParse(body).success;
  if (body.type === 'message_action') return messageShortcut.safeParse(body).success;
  return body.type === 'block_suggestion' || shortcut.safeParse(body).success;
}
