import type { App } from '@slack/bolt';
import { z } from 'zod';
import { toThreadKey } from '../../conversation/thread-key.ts';
import { installationOf } from '../installations/request-source.ts';
import { toTextContent } from '../views/content.ts';
import type { ListenerPorts } from './listener-ports.ts';

const schema = z.looseObject({ channel: z.string(), user: z.string(), thread_ts: z.string() });

/**
 * Slack's own *Stop*: what runs or waits next in the thread is broken off, if this person asked it; anybody else is
 * told why it is not. Slack leaves it to us to end what the thread shows, also where nothing is worked on any more.
 */
export function registerSessionStopped(app: App, ports: ListenerPorts): void {
  app.event('agent_session_stopped', async ({ event, body }) => {
    const { data: stopped } = schema.safeParse(event);
    if (!stopped) return;
    const { team, workspace } = await installationOf(body, ports);
    const { channel, thread_ts: threadTs, user } = stopped;
    const turn = await ports.turns.head(toThreadKey({ team, channel, threadTs }));
    if (!turn) return void ports.clearSession({ workspace, channel, threadTs });
    const { asker, startsThread } = turn.question;
    if (asker.user === user) return void (await ports.endTurn(turn.id, 'stopped'));
    // In a thread without a reply Slack shows what is for one person only to nobody.
    const place = startsThread ? { channel } : { channel, threadTs };
    const sentence = `I go on working on this: only <@${asker.user}>, who asked, can stop it.`;
    ports.inBackground(async () => {
      await ports.clicks.say({ ...body, user: { id: user } }, toTextContent(sentence), { place });
    });
  });
}
