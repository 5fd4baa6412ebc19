import type { SandboxUser } from '../sandbox/sign-in.ts';
import type { SayOptions } from '../sandbox/slack/people/speak.ts';
import { CHANNEL, type Cluster } from './cluster.ts';
import { toQuestionText } from './item.ts';
import type { Said } from './journal.ts';

export type Speech = {
  author: SandboxUser;
  /** Undefined: a new thread. */
  thread?: Said | undefined;
  /** Whether it names the app, as the first message of a thread and of a person in it has to. */
  isMention?: boolean;
  twins?: SayOptions['twins'];
};

/** Has somebody say the next question, and returns at once. */
export async function speak({ world: { slack }, journal }: Cluster, speech: Speech): Promise<Said> {
  const { author, thread, isMention = true, twins = 'mention-first' } = speech;
  const number = journal.nextNumber();
  const text = `${isMention ? `${slack.mention} ` : ''}${toQuestionText(number)}`;
  const options = { await: 'none', twins, ...(thread && { threadTs: thread.threadTs }) } as const;
  const { ts } = await slack.as(author).say(CHANNEL, text, options);
  return journal.said({ number, channel: CHANNEL, ts, threadTs: thread?.threadTs ?? ts });
}
