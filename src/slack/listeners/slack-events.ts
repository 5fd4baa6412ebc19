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
 * The app was uninstalled, or its token revoked. Slack mostly sends both, in any order, and neither comes with a token
 * that works. People's own tokens, which we have none of, are revoked by the same event.
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
    log.info({ workspace: named, outcome }, 'slack said that an installation ended');
    // A team's installation and its organisation's are not always told apart: the other one may be over, too.
    if (other !== named) await uninstall({ workspace: other, endedAt: LONG_AGO, isLastTry: true });
  }
}

const deletedSchema = z.looseObject({
  subtype: z.literal('message_deleted'),
  channel: z.string(),
  deleted_ts: z.string(),
});

/** Who deletes a question that is not answered yet does not want the answer. */
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
 * Slack's own *Stop*: what runs or waits next in the thread is broken off, if this person asked it; anybody else is
 * told why it is not. Slack leaves it to us to end what the thread shows, also where nothing is worked on any more.
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
    // In a thread without a reply Slack shows what is for one person only to nobody.
    const place = startsThread ? { channel } : { channel, threadTs };
    const sentence = `I go on working on this: only <@${asker.user}>, who asked, can stop it.`;
    ports.inBackground(async () => {
      await ports.clicks.say({ ...body, user: { id: user } }, toTextContent(sentence), { place });
    });
  });
}

const userSchema = z.looseObject({ user: z.looseObject({ id: z.string() }) });

/** A new time zone, a guest who became a member, a member who left: what we remember of them is no longer true. */
export function registerUserChange(app: App, ports: ListenerPorts): void {
  app.event('user_change', async ({ event, body }) => {
    const { data: changed } = userSchema.safeParse(event);
    if (!changed) return;
    const { workspace } = await installationOf(body, ports);
    ports.personChanged(workspace, changed.user.id);
  });
}
