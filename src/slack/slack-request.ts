// Whether a request is Slack's: its signature, and the fields that its payload must have.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

/** In both directions: an old request may be a replay, and one from the future could be replayed later. */
const REPLAY_WINDOW_S = 5 * 60;

/**
 * Whether Slack signed this body: https://docs.slack.dev/authentication/verifying-requests-from-slack. Bolt's own check
 * computes two more signatures for the comparison, which costs ten times as much.
 */
export function isSignedBySlack(signingSecret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const [version, digest = ''] = String(headers['x-slack-signature']).split('=');
  const given = Buffer.from(digest, 'hex');
  const expected = createHmac('sha256', signingSecret)
    .update(`v0:${headers['x-slack-request-timestamp']}:`)
    .update(body)
    .digest();
  return version === 'v0' && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether the time of the signature is close to now. */
export function isCurrent(headers: IncomingHttpHeaders): boolean {
  const seconds = Number(headers['x-slack-request-timestamp']);
  return Number.isInteger(seconds) && Math.abs(Date.now() / 1000 - seconds) <= REPLAY_WINDOW_S;
}

/** Why a request without a valid signature is refused. */
export function whyUnsigned(headers: IncomingHttpHeaders): 'no_signature' | 'signature' | 'stale' {
  if (!claimsToBeSigned(headers)) return 'no_signature';
  return isCurrent(headers) ? 'signature' : 'stale';
}

/** Whether this is a payload of Slack, complete enough for Bolt. */
export function isSlackPayload(body: Record<string, unknown>): boolean {
  if ('event' in body) return event.safeParse(body).success;
  if ('command' in body) return command.safeParse(body).success;
  if (!interaction.safeParse(body).success) return false;
  if (body.type === 'block_actions') return actions.safeParse(body).success;
  if (body.type === 'view_submission' || body.type === 'view_closed') return view.safeParse(body).success;
  if (body.type === 'message_action') return messageShortcut.safeParse(body).success;
  return body.type === 'block_suggestion' || shortcut.safeParse(body).success;
}

/** Whether it has the headers of a signed request, valid or not. */
function claimsToBeSigned(headers: IncomingHttpHeaders): boolean {
  const isTime = /^\d{1,12}$/.test(String(headers['x-slack-request-timestamp']));
  return isTime && /^v0=[0-9a-f]{64}$/i.test(String(headers['x-slack-signature']));
}

/** Slack's ids: https://docs.slack.dev/reference/objects */
export const id = z.string().regex(/^[A-Z0-9]{2,30}$/);

/** The fields that each kind of payload must have before Bolt gets it; the listeners check the rest. */
const event = z
  .object({
    event: z.object({ type: z.string() }),
    // Events of a whole organisation name its enterprise and no team.
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

/** Typed text, by block id and action id. Chosen options are not checked here. */
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
