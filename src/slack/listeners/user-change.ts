import type { App } from '@slack/bolt';
import { installationOf } from '../installations/request-source.ts';
import type { ListenerPorts } from './listener-ports.ts';

/** A new time zone, a guest who became a member, a member who left: what we remember of them is no longer true. */
export function registerUserChange(app: App, ports: ListenerPorts): void {
  app.event('user_change', async ({ event, body }) => {
    const { workspace } = await installationOf(body, ports);
    ports.personChanged(workspace, event.user.id);
  });
}
