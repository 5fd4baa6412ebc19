import type { App } from '@slack/bolt';
import { z } from 'zod';
import { installationOf } from '../installations/request-source.ts';
import type { ListenerPorts } from './listener-ports.ts';

const schema = z.looseObject({ user: z.looseObject({ id: z.string() }) });

/** A new time zone, a guest who became a member, a member who left: what we remember of them is no longer true. */
export function registerUserChange(app: App, ports: ListenerPorts): void {
  app.event('user_change', async ({ event, body }) => {
    const { data: changed } = schema.safeParse(event);
    if (!changed) return;
    const { workspace } = await installationOf(body, ports);
    ports.personChanged(workspace, changed.user.id);
  });
}
