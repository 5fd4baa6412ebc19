import type { Context } from '@slack/bolt';
import { IANAZone } from 'luxon';
import { z } from 'zod';
import { toThreadKey } from '../../conversation/question.ts';
import type { Log } from '../../log.ts';
import type { Events } from '../bolt-app.ts';
import { installationOf, readSource } from '../installations/request-source.ts';
import { LONG_AGO, type Uninstall } from '../installations/uninstall.ts';
import { isGuest } from '../people.ts';
import { textsFor } from '../texts-for.ts';
import { toTextContent } from '../views/content.ts';
import { MAX_EVENT_RETRIES } from '../web/limits.ts';
import type { HomePorts } from './home.ts';
import type { ListenerPorts } from './ports.ts';

export type AppUninstalledPorts = { uninstall: Uninstall; log: Log };

const revoked = z.looseObject({ tokens: z.looseObject({ bot: z.array(z.string()).optional() }) });

/**
 * The app was uninstalled, or its token revoked. Slack usually sends both events, in any order, when the token no longer
 * works. `tokens_revoked` is also sent for tokens of people, which we do not have.
 */
export function registerAppUninstalled(events: Events, { uninstall, log }: AppUninstalledPorts): void {
  events.event('app_uninstalled', ({ body, context }) => end(body, context, true));
  events.event('tokens_revoked', async ({ event, body, context }) => {
    const { data } = revoked.safeParse(event);
    if (data?.tokens.bot?.length) await end(body, context, false);
  });

  async function end(
    body: { event_time?: number },
    { isEnterpriseInstall, retryNum = 0 }: Context,
    isUninstalled: boolean,
  ): Promise<void> {
    const { workspace, enterprise = workspace } = readSource(body);
    const [named, other] = isEnterpriseInstall ? [enterprise, workspace] : [workspace, enterprise];
    const endedAt = (body.event_time ?? 0) * 1000;
    const isLastTry = retryNum >= MAX_EVENT_RETRIES;
    const outcome = await uninstall({ workspace: named, endedAt, isLastTry, isUninstalled });
    log.info({ workspace: named, outcome }, 'slack reported the end of an installation');
    // The event may not say whether the team or its organisation was uninstalled: check both installations.
    if (other !== named) await uninstall({ workspace: other, endedAt: LONG_AGO, isLastTry: true });
  }
}

const stoppedSchema = z.looseObject({ channel: z.string(), user: z.string(), thread_ts: z.string() });

/**
 * Slack's own *Stop*: stops the question that runs or waits next in the thread, if this person asked it; anybody else is
 * told why not. We have to end the status of the thread, even if nothing is worked on any more.
 */
export function registerSessionStopped(events: Events, ports: ListenerPorts): void {
  events.event('agent_session_stopped', async ({ event, body }) => {
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
    ports.inBackground(async () => {
      const by = { ...body, user: { id: user } };
      const { controls } = await textsFor(by, ports);
      await ports.clicks.say(by, toTextContent(controls.stopNotYours(`<@${asker.user}>`)), { place });
    });
  });
}

const userSchema = z.looseObject({
  user: z.looseObject({ id: z.string(), deleted: z.boolean().nullish(), tz: z.string().nullish() }),
});

/**
 * When a profile changes (time zone, guest or member), forget what we know of the person. When a member leaves, delete
 * what we keep of them. The event is acknowledged after that is written.
 */
export function registerUserChange(events: Events, ports: ListenerPorts & HomePorts): void {
  events.event('user_change', async ({ event, body }) => {
    const { data: changed } = userSchema.safeParse(event);
    if (!changed) return;
    const installation = await installationOf(body, ports);
    const { team, workspace } = installation;
    const { id: user, deleted, tz } = changed.user;
    ports.personChanged(workspace, user);
    if (!deleted) ports.inBackground(() => ports.homeTab.refresh({ team, user }));
    ports.audienceChanged({ kind: isGuest(changed.user, installation) ? 'guest' : 'member', workspace, user });
    if (deleted) await ports.personLeft({ team, user }, workspace);
    else if (tz && IANAZone.isValidZone(tz)) await ports.scheduling.move({ team, user }, tz);
  });
}

const channelSchema = z.looseObject({ channel: z.string() });

/** Another organisation came or left, so other people read the channel. */
export function registerChannelShared(events: Events, ports: ListenerPorts): void {
  const listen = async ({ event, body }: { event: unknown; body: object }) => {
    const { data: changed } = channelSchema.safeParse(event);
    if (!changed) return;
    const { workspace } = await installationOf(body, ports);
    ports.channelChanged(workspace, changed.channel);
  };
  events.event('channel_shared', listen);
  events.event('channel_unshared', listen);
}

const memberSchema = z.looseObject({ channel: z.string(), user: z.string() });

/** Whether answers are posted in a channel depends on who reads it. */
export function registerChannelMembers(events: Events, ports: ListenerPorts): void {
  const listen = (kind: 'joined' | 'left') => async (args: { event: unknown; body: object }) => {
    const { data: member } = memberSchema.safeParse(args.event);
    if (!member) return;
    const { workspace } = await installationOf(args.body, ports);
    ports.audienceChanged({ kind, workspace, channel: member.channel, user: member.user });
  };
  events.event('member_joined_channel', listen('joined'));
  events.event('member_left_channel', listen('left'));
}
