import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageRef } from '@assistant-bridge/sandbox/slack/people/speak.ts';
import type { Cluster } from './cluster.ts';
import { toEditedText } from './item.ts';
import type { Said } from './journal.ts';

/** Of the messages: edited, and deleted, soon after they were said. */
const EDITED_SHARE = 0.06;
const DELETED_SHARE = 0.03;

/** In ms. A question that waits behind others in its thread is not asked by then. */
const THOUGHT_MS = 600;

/**
 * Has the author of an acknowledged message change or delete it now and then. Resolves once Slack knows that the app has
 * heard of it, or has given up. Roots stay: a thread whose root is gone is another matter.
 */
export async function haveSecondThoughts({ world: { slack }, random, journal }: Cluster, said: Said): Promise<void> {
  const { author, channel, ts, threadTs, number } = said;
  const chance = random.between(0, 1);
  if (ts === threadTs || chance > EDITED_SHARE + DELETED_SHARE) return;
  await sleep(random.between(0, THOUGHT_MS));
  const place: MessageRef = { channel, ts, threadTs };
  const isDeleted = chance < DELETED_SHARE;
  if (isDeleted) journal.deleting(number);
  const text = slack.workspace.messages.find(channel, ts)?.text ?? '';
  const deliveries = await (isDeleted
    ? slack.as(author).delete(place)
    : slack.as(author).edit(place, toEditedText(text)));
  if (deliveries.some(({ ok }) => ok)) journal.changed(number, isDeleted ? 'deleted' : 'edited');
}
