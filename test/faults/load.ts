import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageRef } from '@assistant-bridge/sandbox/slack/people/speak.ts';
import { CALM, type Mischief } from './balancer.ts';
import type { Cluster } from './cluster.ts';
import { toEditedText } from './item.ts';
import type { Said } from './journal.ts';
import { speak } from './speak.ts';

export type LoadOptions = {
  /** Messages per second. */
  rate: number;
  /** How many threads go on at once. */
  threads?: number;
  /** After so many messages a thread ends and another begins in its place. */
  threadLength?: number;
  mischief?: Mischief;
};

export type Load = {
  /** Messages that were not said, because every thread waited for an acknowledgement. */
  readonly heldBack: number;
  /** No more messages. Resolves when nothing more can be acknowledged. */
  stop(): Promise<void>;
};

/** Every twentieth delivery comes again, and many are overtaken by later ones. */
const USUAL_MISCHIEF: Mischief = { duplicates: 0.05, delayed: 0.2 };

/** Of the messages in a thread: by somebody who did not begin it, and naming the app though it would hear all the same. */
const OTHERS_SHARE = 0.1;
const MENTION_SHARE = 0.3;

/** Of the messages: edited, and deleted, soon after they were said. */
const EDITED_SHARE = 0.06;
const DELETED_SHARE = 0.03;

/** In ms. A question that waits behind others in its thread is not asked by then. */
const THOUGHT_MS = 600;

/** By then Slack has tried for the last time: see RETRIES_MS, each of which may take three seconds. */
const GIVEN_UP_MS = 45_000;

const TICK_MS = 10;

type Thread = { root?: Said; author: string; isDirect: boolean; length: number };

/**
 * People who talk in many threads at once. In one thread nobody says the next thing before Slack has an acknowledgement
 * of the last: messages that different replicas accept at the same time have no order that could be kept.
 */
export function startLoad(cluster: Cluster, options: LoadOptions): Load {
  const { random, people, journal, balancer, directShare } = cluster;
  const { rate, threads = 150, threadLength = 8, mischief = USUAL_MISCHIEF } = options;
  const free = Array.from({ length: threads }, () => newThread());
  const waiting = new Set<Promise<void>>();
  const startedAt = performance.now();
  let said = 0;
  let heldBack = 0;
  balancer.set(mischief);

  function newThread(): Thread {
    return { author: random.pick(people), isDirect: directShare > 0 && random.chance(directShare), length: 0 };
  }

  function sayDue(): void {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
    for (; said + heldBack < due; ) {
      const [thread] = free.splice(random.below(free.length), 1);
      if (!thread) {
        heldBack += 1;
        continue;
      }
      said += 1;
      const waits: Promise<void> = goOn(thread).finally(() => waiting.delete(waits));
      waiting.add(waits);
    }
  }

  async function goOn(thread: Thread): Promise<void> {
    const message = await sayNext(cluster, thread);
    thread.root ??= message;
    thread.length += 1;
    await Promise.race([journal.untilAcknowledged(message.number), timeUp(GIVEN_UP_MS)]);
    await Promise.race([haveSecondThoughts(cluster, message), timeUp(GIVEN_UP_MS)]);
    const isOver = message.acknowledgedAt === undefined || thread.length >= threadLength;
    free.push(isOver ? newThread() : thread);
  }

  const timer = setInterval(sayDue, TICK_MS);
  return {
    get heldBack() {
      return heldBack;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(waiting);
      await balancer.settled();
      balancer.set(CALM);
    },
  };
}

function sayNext(cluster: Cluster, { root, author, isDirect }: Thread): Promise<Said> {
  const { random, people } = cluster;
  const twins = random.chance(0.5) ? 'mention-first' : 'message-first';
  if (!root) return speak(cluster, { author, twins, isDirect });
  if (isDirect) return speak(cluster, { author, thread: root });
  if (random.chance(OTHERS_SHARE)) return speak(cluster, { author: random.pick(people), thread: root, twins });
  return speak(cluster, { author, thread: root, twins, isMention: random.chance(MENTION_SHARE) });
}

/**
 * Has the author of an acknowledged message change or delete it now and then. Resolves once Slack knows that the app has
 * heard of it, or has given up. Roots stay: a thread whose root is gone is another matter.
 */
async function haveSecondThoughts({ world: { slack }, random, journal }: Cluster, said: Said): Promise<void> {
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

const timeUp = (ms: number) => sleep(ms, undefined, { ref: false });
