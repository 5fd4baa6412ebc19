import type { SayOptions } from '@assistant-bridge/sandbox/slack/people/speak.ts';
import { CHANNEL, type Cluster } from './cluster.ts';
import { toQuestionText } from './item.ts';
import type { Said } from './journal.ts';

export type Speech = {
  /** A user id. */
  author: string;
  /** Undefined: a new thread. */
  thread?: Said | undefined;
  /** In the author's direct message with the app, where a new thread is begun. */
  isDirect?: boolean | undefined;
  /** Whether it names the app, as the first message of a thread and of a person in it has to. */
  isMention?: boolean;
  twins?: SayOptions['twins'];
};

/** Has somebody say the next question, and returns at once. */
export async function speak({ world: { slack }, journal }: Cluster, speech: Speech): Promise<Said> {
  const { author, thread, isDirect = false, isMention = true, twins = 'mention-first' } = speech;
  const channel = thread?.channel ?? (isDirect ? slack.as(author).dm : CHANNEL);
  const number = journal.nextNumber();
  const text = `${isMention && channel === CHANNEL ? `${slack.mention} ` : ''}${toQuestionText(number)}`;
  const options = { await: 'none', twins, ...(thread && { threadTs: thread.threadTs }) } as const;
  const { ts } = await slack.as(author).say(channel, text, options);
  return journal.said({ number, author, channel, ts, threadTs: thread?.threadTs ?? ts });
}
