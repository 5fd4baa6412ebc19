import type { DeliveryResult } from './delivery.ts';
import type { World } from './world.ts';

/** Slack's words for a command, a click or a modal that the app did not take. */
export type NotTaken = 'operation_timeout' | 'dispatch_failed';

/** What Slack showed to somebody whom the app gave no answer. `what`: the command, the button, or the modal's callback id. */
export type Warning = { userId: string; what: string; error: NotTaken; text: string };

/** Only 200 within 3 s is an answer: https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response */
export function warnUnlessTaken(
  world: World,
  { userId, what }: Pick<Warning, 'userId' | 'what'>,
  sent: DeliveryResult,
): NotTaken | undefined {
  if (sent.status === 200) return undefined;
  const error = sent.error === 'http_timeout' ? 'operation_timeout' : 'dispatch_failed';
  world.warnings.push({ userId, what, error, text: `This app did not respond (${error}).` });
  return error;
}
