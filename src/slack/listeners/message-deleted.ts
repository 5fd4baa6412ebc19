import type { App } from '@slack/bolt';
import { z } from 'zod';
import { installationOf } from '../installations/request-source.ts';
import type { ListenerPorts } from './listener-ports.ts';

const schema = z.looseObject({ subtype: z.literal('message_deleted'), channel: z.string(), deleted_ts: z.string() });

/** Who deletes a question that is not answered yet does not want the answer. */
export function registerMessageDeleted(app: App, ports: ListenerPorts): void {
  app.event('message', async ({ event, body }) => {
    const { data: message } = schema.safeParse(event);
    if (!message) return;
    const { team } = await installationOf(body, ports);
    await ports.endTurn(`message:${team}:${message.channel}:${message.deleted_ts}`, 'cancelled');
  });
}
