import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { ListenerPorts } from './listener-ports.ts';

const schema = z.looseObject({ subtype: z.literal('message_deleted'), channel: z.string(), deleted_ts: z.string() });

/** Who deletes a question that is not answered yet does not want the answer. */
export function registerMessageDeleted(app: App, ports: ListenerPorts): void {
  app.event('message', async ({ event, context }) => {
    const { data: message } = schema.safeParse(event);
    if (!message) return;
    const { team } = await ports.findInstallation(context.teamId ?? '');
    await ports.endTurn(`message:${team}:${message.channel}:${message.deleted_ts}`, 'cancelled');
  });
}
