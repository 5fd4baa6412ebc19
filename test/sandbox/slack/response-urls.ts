/** What an interaction may be answered with for a time: https://docs.slack.dev/interactivity/handling-user-interaction */
import { randomBytes } from 'node:crypto';
import { type Reply as HttpReply, toText } from '../loopback/reply.ts';
import { applyReply, type ReplyTarget } from './apply-reply.ts';
import type { Identifiers } from './identifiers.ts';
import { parseObject } from './json.ts';
import type { World } from './world.ts';

export type ResponseUrls = ReturnType<typeof createResponseUrls>;

/** A `response_url`: 5 uses within 30 min. */
const LIFE_MS = 30 * 60_000;
const MAX_USES = 5;
const KEPT = 10_000;

export function createResponseUrls(world: () => World) {
  const open = new Map<string, { target: ReplyTarget; at: number; uses: number }>();
  return {
    create(target: ReplyTarget): string {
      const id = randomBytes(12).toString('hex');
      open.set(id, { target, at: Date.now(), uses: 0 });
      const oldest = open.size > KEPT ? open.keys().next().value : undefined;
      if (oldest !== undefined) open.delete(oldest);
      return `${world().url}/response/${id}`;
    },
    has: (id: string) => open.has(id),
    /** Handles a POST to one of them. */
    use(id: string, body: string): HttpReply {
      const { ledger } = world();
      const record = ledger.startCall('response_url', parseObject(body) ?? { body });
      const reply = answerUse(world(), open.get(id), body);
      ledger.finishCall(record, reply.status, { body: reply.body });
      return reply;
    },
  };
}

function answerUse(
  world: World,
  entry: { target: ReplyTarget; at: number; uses: number } | undefined,
  body: string,
): HttpReply {
  if (!entry) return toText(404, 'no_service');
  if (Date.now() - entry.at > LIFE_MS) return toText(404, 'expired_url');
  if (entry.uses >= MAX_USES) return toText(404, 'used_url');
  const reply = parseObject(body);
  if (!reply) return toText(400, 'invalid_payload');
  entry.uses += 1;
  const refusal = applyReply(world, entry.target, reply);
  if (refusal === undefined) return toText(200, 'ok');
  const { error, messages } = refusal;
  return { status: 400, body: { ok: false, error, response_metadata: { messages } } };
}

export type Triggers = ReturnType<typeof createTriggers>;

/** A trigger id: usable once, within 3 s. */
const TRIGGER_LIFE_MS = 3_000;

export function createTriggers(identifiers: Identifiers) {
  const triggers = new Map<string, { userId: string; at: number; used: boolean }>();
  return {
    create(userId: string): string {
      const id = identifiers.triggerId();
      triggers.set(id, { userId, at: Date.now(), used: false });
      const oldest = triggers.size > KEPT ? triggers.keys().next().value : undefined;
      if (oldest !== undefined) triggers.delete(oldest);
      return id;
    },
    has: (id: string) => triggers.has(id),
    /** Uses the trigger up; answers who caused it, or why it cannot be used. */
    exchange(id: string): { userId: string } | { error: string } {
      const trigger = triggers.get(id);
      if (!trigger) return { error: 'invalid_trigger_id' };
      if (trigger.used) return { error: 'exchanged_trigger_id' };
      if (Date.now() - trigger.at > TRIGGER_LIFE_MS) return { error: 'expired_trigger_id' };
      trigger.used = true;
      return { userId: trigger.userId };
    },
  };
}
