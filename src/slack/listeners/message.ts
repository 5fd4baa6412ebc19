import type { App } from '@slack/bolt';
import { toThreadKey } from '../../conversation/thread-key.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { type Addressed, toQuestion } from './message-to-question.ts';

/**
 * Direct messages, mentions, and what people who have spoken to us in a thread go on to write there. A mention arrives
 * twice, as `app_mention` and as `message`, in any order, and every delivery may be repeated: the id collapses them.
 */
export function registerMessage(app: App, ports: ListenerPorts): void {
  const listen = async ({ event, body }: { event: unknown; body: object }) => {
    const installation = await ports.findInstallation(toWorkspace(body));
    const isSharedChannel = 'is_ext_shared_channel' in body && body.is_ext_shared_channel === true;
    const addressed = toQuestion(event, isSharedChannel, installation);
    if (addressed && (await isForUs(addressed, ports))) await ports.accept(addressed.id, addressed.question);
  };
  app.event('message', listen);
  app.event('app_mention', listen);
}

/** The team whose installation received the event; `team_id` may be the other one in a shared channel. */
function toWorkspace(body: object): string {
  const { context_team_id, team_id } = body as { context_team_id?: string | null; team_id?: string };
  return context_team_id ?? team_id ?? '';
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
