import type { App } from '@slack/bolt';
import { toThreadKey } from '../../conversation/thread-key.ts';
import { installationOf } from '../installations/request-source.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { type Addressed, toQuestion } from './message-to-question.ts';

/**
 * Direct messages, mentions, and what people who have spoken to us in a thread go on to write there. A mention arrives
 * twice, as `app_mention` and as `message`, in any order, and every delivery may be repeated: the id collapses them.
 */
export function registerMessage(app: App, ports: ListenerPorts): void {
  const listen = async ({ event, body }: { event: unknown; body: object }) => {
    const installation = await installationOf(body, ports);
    const isSharedChannel = 'is_ext_shared_channel' in body && body.is_ext_shared_channel === true;
    const addressed = toQuestion(event, isSharedChannel, installation);
    if (addressed && (await isForUs(addressed, ports))) await ports.accept(addressed.id, addressed.question);
  };
  app.event('message', listen);
  app.event('app_mention', listen);
}

/** In a thread people also talk to each other: who names somebody else does not mean us. */
async function isForUs(
  { isAddressed, isMentioningOthers, question }: Addressed,
  ports: ListenerPorts,
): Promise<boolean> {
  if (isAddressed) return true;
  const { startsThread, threadTs, channel, asker } = question;
  if (startsThread || !threadTs || isMentioningOthers) return false;
  return ports.threads.isEngaged(toThreadKey({ team: asker.team, channel, threadTs }), asker.user);
}
