import type { Respond } from '../response-url.ts';
import { orSayNothingWasDone } from './nothing-was-done.ts';

type Click = { ack(): Promise<void>; body: { response_url?: string | undefined } };

/**
 * Does what a click asks for, acknowledges it, and only then says to that person alone what there is to say: Slack
 * waits three seconds for the acknowledgement. `work` returns the sentence, if any.
 */
export async function answerClick(
  { ack, body }: Click,
  { respond }: { respond: Respond },
  work: () => Promise<string | undefined>,
): Promise<void> {
  let sentence: string | undefined;
  await orSayNothingWasDone(
    async () => {
      sentence = await work();
    },
    async (text) => {
      sentence = text;
    },
  );
  await ack();
  if (sentence === undefined || !body.response_url) return;
  // Not waited for: the acknowledgement goes out when the listener ends.
  void respond(body.response_url, { response_type: 'ephemeral', replace_original: false, text: sentence });
}
