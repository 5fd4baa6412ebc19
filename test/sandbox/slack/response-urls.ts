/** `response_url`: 5 uses within 30 min. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
import { randomBytes } from 'node:crypto';
import { applyReply, type Reply, type ReplyTarget } from './apply-reply.ts';
import { parseObject } from './json.ts';
import type { World } from './world.ts';

export type ResponseUrls = {
  create(target: ReplyTarget): string;
  has(id: string): boolean;
  /** Handles a POST to one of them. */
  use(id: string, body: string): { status: number; body: string };
};

const LIFE_MS = 30 * 60_000;
const MAX_USES = 5;
const KEPT = 10_000;

export function createResponseUrls(world: () => World): ResponseUrls {
  const open = new Map<string, { target: ReplyTarget; at: number; uses: number }>();
  return {
    create(target) {
      const id = randomBytes(12).toString('hex');
      open.set(id, { target, at: Date.now(), uses: 0 });
      const oldest = open.size > KEPT ? open.keys().next().value : undefined;
      if (oldest !== undefined) open.delete(oldest);
      return `${world().url}/response/${id}`;
    },
    has: (id) => open.has(id),
    use(id, body) {
      const entry = open.get(id);
      const record = world().ledger.startCall('response_url', parseObject(body) ?? { body });
      const answer = answerUse(world(), entry, body);
      Object.assign(record, { status: answer.status, response: { body: answer.body }, ms: Date.now() - record.at });
      world().ledger.finished();
      return answer;
    },
  };
}

function answerUse(
  world: World,
  entry: { target: ReplyTarget; at: number; uses: number } | undefined,
  body: string,
): { status: number; body: string } {
  if (!entry) return { status: 404, body: 'no_service' };
  if (Date.now() - entry.at > LIFE_MS) return { status: 404, body: 'expired_url' };
  if (entry.uses >= MAX_USES) return { status: 404, body: 'used_url' };
  const reply = parseObject(body);
  if (!reply) return { status: 400, body: 'invalid_payload' };
  entry.uses += 1;
  const refusal = applyReply(world, entry.target, reply as Reply);
  if (refusal === undefined) return { status: 200, body: 'ok' };
  const { error, messages } = refusal;
  return { status: 400, body: JSON.stringify({ ok: false, error, response_metadata: { messages } }) };
}
