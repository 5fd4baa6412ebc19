import type { Content } from '../../views/content.ts';
import type { AdminPorts } from './admin-ports.ts';
import { toFailureMessage } from './failure-message.ts';

/** Says something to the admin alone, where the command was given or the button pressed. False: it did not arrive. */
export type Say = (content: Content) => Promise<boolean>;

/** A new message: what was clicked stays as it is. */
export function createSay(responseUrl: string, { respond }: AdminPorts): Say {
  return (content) => respond(responseUrl, { response_type: 'ephemeral', replace_original: false, ...content });
}

/** Runs the work after the acknowledgement, and says what stopped it. `again`: what to do after a sign-in, in mrkdwn. */
export function startSaying(say: Say, ports: AdminPorts, work: () => Promise<void>, again?: string): void {
  ports.inBackground(async () => {
    try {
      await work();
    } catch (error) {
      await say(toFailureMessage(error, ports, again).content);
    }
  });
}
