import type { App, Context } from '@slack/bolt';
import { z } from 'zod';
import { toThreadKey } from '../../conversation/question.ts';
import type { Log } from '../../log.ts';
import { installationOf, readSource } from '../installations/request-source.ts';
import { LONG_AGO, type Uninstall } from '../installations/uninstall.ts';
import { toTextContent } from '../views/content.ts';
import { MAX_EVENT_RETRIES } from '../web/limits.ts';
import type { ListenerPorts } from './message.ts';

export type AppUninstalledPorts = { uninstall: Uninstall; log: Log };

const revoked = z.looseObject({ tokens: z.looseObject({ bot: z.array(z.string()).optional() }) });

/**
 * The app was uninstalled, or its token revoked. Slack usually sends both events, in any order, when the token no longer
 * works. `tokens_revoked` is also sent for tokens of people, which we do not have.
 */
export function registerAppUninstalled(app: App, { uninstall, log }: AppUninstalledPorts): void {
  app.event('app_uninstalled', ({ body, context }) => end(body, context));
  app.event('tokens_revoked', async ({ event, body, context }) => {
    const { data } = revoked.safeParse(event);
    if (data?.tokens.bot?.length) await end(body, context);
  });

  async function end(body: { event_time?: number }, { isEnterpriseInstall, retryNum = 0 }: Context): Promise<void> {
    const { workspace, enterprise = workspace } = readSource(body);
    const [named, other] = isEnterpriseInstall ? [enterprise, workspace] : [workspace, enterprise];
    const endedAt = (body.event_time ?? 0) * 1000;
    const outcome = await uninstall({ workspace: named, endedAt, isLastTry: retryNum >= MAX_EVENT_RETRIES });
    log.info({ workspace: named, outcome }, 'slack reported the end of an installation');
    // The event does not always tell the installation of a team from that of its organisation: check the other one too.
    if (other !== named) await uninstall({ workspace: other, endedAt: LONG_AGO, isLastTry: true });
  }
}

const deletedSchema = z.looseObject({
  subtype: z.literal('message_deleted'),
  channel: z.string(),
  deleted_ts: z.string(),
});

/** A deleted question needs no answer. */
export function registerMessageDeleted(app: App, ports: ListenerPorts): void {
  app.event('message', async ({ event, body }) => {
    const { data: message } = deletedSchema.safeParse(event);
    if (!message) return;
    const { team } = await installationOf(body, ports);
    await ports.endTurn(`message:${team}:${message.channel}:${message.deleted_ts}`, 'cancelled');
  });
}

const stoppedSchema = z.looseObject({ channel: z.string(), user: z.string(), thread_ts: z.string() });

/**
 * Slack's own *Stop*: stops the question that runs or waits next in the thread, if this person asked it; anybody else is
 * told why not. We have to end the status of the thread, even if nothing is worked on any more.
 */
export function registerSessionStopped(app: App, ports: ListenerPorts): void {
  app.event('agent_session_stopped', async ({ event, body }) => {
    const { data: stopped } = stoppedSchema.safeParse(event);
    if (!stopped) return;
    const { team, workspace } = await installationOf(body, ports);
    const { channel, thread_ts: threadTs, user } = stopped;
    const turn = await ports.turns.head(toThreadKey({ team, channel, threadTs }));
    if (!turn) return void ports.clearSession({ workspace, channel, threadTs });
    const { asker, startsThread } = turn.question;
    if (asker.user === user) return void (await ports.endTurn(turn.id, 'stopped'));
    // In a thread without replies Slack does not show ephemeral messages.
    const place = startsThread ? { channel } : { channel, threadTs };
    const sentence = `I go on working on this: only <@${asker.user}>, who asked, can stop it.`;
    ports.inBackground(async () => {
      await ports.clicks.say({ ...body, user: { id: user } }, toTextContent(sentence), { place });
    });
  });
}

const userSchema = z.looseObject({ user: z.looseObject({ id: z.string() }) });

/** A new time zone, a guest who became a member, a member who left: forget what we know of them. */
export function registerUserChange(app: App, ports: ListenerPorts): void {
  app.event('user_change', async ({ event, body }) => {
    const { data: changed } = userSchema.safeParse(event);
    if (!changed) return;
    const { workspace } = await installationOf(body, ports);
    ports.personChanged(workspace, changed.user.id);
  });
}
