import type { Sandbox } from '../sandbox.ts';

/** Returns, once for each time that an app does not take what happens, a sentence that says so; Slack itself shows nothing. */
export function createUnheardWatch({ slack }: Sandbox): () => string | undefined {
  let told = 0;
  return () => {
    const failed = slack.ledger
      .deliveries({ delivery: 'event' })
      .filter(({ attempt, error }) => attempt === 1 && error);
    const latest = failed.at(-1);
    if (latest === undefined || failed.length === told) return undefined;
    told = failed.length;
    const { isSocketMode, eventsUrl } = slack.registration;
    const where = isSocketMode ? 'over Socket Mode' : `at ${eventsUrl}`;
    return `The app does not answer ${where} (${latest.error}). Is it running? Slack sends this again after one minute, and after five.`;
  };
}
