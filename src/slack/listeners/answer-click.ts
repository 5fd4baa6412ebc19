import type { AnswerClicks } from '../answer-clicks.ts';
import { type Content, toTextContent } from '../views/content.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { orSayNothingWasDone } from './nothing-was-done.ts';

type Click = { ack(): Promise<void>; body: object };

/** What a click comes to: a sentence, or what takes the place of the message that was clicked. */
type Answer = string | { replacement: Content };

/**
 * Does what a click asks for, acknowledges it, and only then answers it: Slack waits three seconds for the
 * acknowledgement. `work` returns the answer, if any.
 */
export async function answerClick(
  { ack, body }: Click,
  ports: Pick<ListenerPorts, 'clicks' | 'inBackground'>,
  work: () => Promise<Answer | undefined>,
): Promise<void> {
  let answer: Answer | undefined;
  await orSayNothingWasDone(
    async () => {
      answer = await work();
    },
    async (text) => {
      answer = text;
    },
  );
  await ack();
  const given = answer;
  // Not waited for: the acknowledgement goes out when the listener ends.
  if (given !== undefined) ports.inBackground(() => show(body, given, ports.clicks));
}

async function show(body: object, answer: Answer, clicks: AnswerClicks): Promise<void> {
  if (typeof answer === 'string') return void (await clicks.say(body, toTextContent(answer)));
  const { replacement } = answer;
  if (!(await clicks.replace(body, replacement))) await clicks.say(body, replacement);
}
