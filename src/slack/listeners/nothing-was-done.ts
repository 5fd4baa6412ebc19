import { StoreUnavailableError } from '../../errors.ts';

export const NOTHING_WAS_DONE = 'Nothing was done, because I could not write it down. Please try again in a moment.';

/**
 * Slack never repeats a command, a click or a modal: where the store cannot be written, the person has to hear it and
 * try again. Any other error is a fault of ours and goes on.
 */
export async function orSayNothingWasDone(
  work: () => Promise<void>,
  say: (text: string) => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    await say(NOTHING_WAS_DONE);
  }
}
