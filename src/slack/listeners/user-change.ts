import type { App } from '@slack/bolt';
import type { ListenerPorts } from './listener-ports.ts';

/** A new time zone, a guest who became a member, a member who left: what we remember of them is no longer true. */
export function registerUserChange(app: App, { people }: ListenerPorts): void {
  app.event('user_change', async ({ event, context }) => people.changed(context.teamId ?? '', event.user));
}
