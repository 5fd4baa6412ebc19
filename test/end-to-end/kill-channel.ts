import { expect } from 'vitest';
import {
  becomesIdle,
  CHANNEL,
  delivered,
  type KillWorld,
  replies,
  restartUntilDone,
  startCrashing,
} from './kill-world.ts';

type Seen = 'answer' | 'interrupted';

/** One delivery of the mention's two, so that the steps always come in the same order. */
export const askOnce = (world: KillWorld, text: string) =>
  world.slack.as('U0ANA').say(CHANNEL, `${world.slack.mention} ${text}`, { await: 'none', twins: 'mention-only' });

/** `at`: which write of the turn, and whether before or after it: `1 before`. */
export async function killAtWrite(world: KillWorld, at: string, sees: Seen): Promise<void> {
  const crashing = await startCrashing(world, at);
  const text = `what happens at write ${at}`;
  const { ts } = await askOnce(world, text);
  await crashing.ended;

  await endsInOneReply(world, ts, text, sees);
}

/** Asked of the service at most once, and for an answer exactly once. */
export async function endsInOneReply(world: KillWorld, ts: string, text: string, sees: Seen): Promise<void> {
  await restartUntilDone(world, `message:T0001:${CHANNEL}:${ts}`);
  await delivered(world, ts);
  await becomesIdle(world);
  const visible = replies(world, ts).map((message) => world.slack.render(message));
  expect(visible).toHaveLength(1);
  expect(visible[0]).toContain(sees === 'answer' ? text : 'I was interrupted');
  expect(visible[0]?.includes('[Ask again]')).toBe(sees === 'interrupted');
  const chats = world.assistant.ledger.chats().filter((chat) => chat.text === text);
  expect(chats.length).toBeLessThanOrEqual(1);
  if (sees === 'answer') expect(chats).toHaveLength(1);
}
