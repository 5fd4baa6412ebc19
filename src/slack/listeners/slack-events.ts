import type { Context } from '@slack/bolt';
import { IANAZone } from 'luxon';
import { z } from 'zod';
import { toThreadKey } from '../../conversation/question.ts';
import type { Events } from '../bolt-app.ts';
import type { Installation } from '../installation.ts';
import { LONG_AGO } from '../installations/uninstall.ts';
import { isGuest } from '../people.ts';
import { installationOf, readSource, textsFor } from '../request-source.ts';
import { toTextContent } from '../views/content.ts';
import { MAX_EVENT_RETRIES } from '../web/limits.ts';
import type { ListenerPorts } from './ports.ts';

const revoked = z.looseObject({ tokens: z.looseObject({ bot: z.array(z.string()).optional() }) });

/**
 * The app was uninstalled, or its token revoked. Slack usually sends both events, in any order, when the token no longer
 * works. `tokens_revoked` is also sent for tokens of people, which we do not have.
 */
export function registerAppUninstalled(
  events: Events,
  { uninstall, log }: Pick<ListenerPorts, 'uninstall' | 'log'>,
): void {
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

/**
 * Listens to an event of this form. `take` gets its fields, the installation that it belongs to, what Slack sent, and
 * whether Slack sent it before.
 */
export function onEvent<Fields>(
  events: Events,
  type: string,
  { form, ports }: { form: z.ZodType<Fields>; ports: Pick<ListenerPorts, 'findInstallation'> },
  take: (fields: Fields, installation: Installation, body: object, isResent: boolean) => Promise<void> | void,
): void {
  events.event(type, async ({ event, body, context }) => {
    const { data } = form.safeParse(event);
    if (data) await take(data, await installationOf(body, ports), body, context.retryNum !== undefined);
  });
}

const stopped = z.looseObject({
  ...{ channel: z.string(), user: z.string(), thread_ts: z.string() },
  event_ts: z.string().optional(),
});

/** Slack resends an event after a minute. Our clock and Slack's hardly differ by more. */
const RESENT_AFTER_MS = 30_000;

const user = z.looseObject({ id: z.string(), deleted: z.boolean().nullish(), tz: z.string().nullish() });

/** Events about threads, people and channels. Messages have listeners of their own. */
export function registerSlackEvents(events: Events, ports: ListenerPorts): void {
  /**
   * Slack's own *Stop*: stops the question that runs or waits next in the thread, if this person asked it; anybody else is
   * told why not. We have to end the status of the thread, even if nothing is worked on any more.
   */
  onEvent(events, 'agent_session_stopped', { form: stopped, ports }, async (event, installation, body, isResent) => {
    const { team, workspace } = installation;
    const { channel, thread_ts: threadTs } = event;
    const turn = await ports.turns.head(toThreadKey({ team, channel, threadTs }));
    if (!turn) return void ports.clearSession({ workspace, channel, threadTs });
    // For a question that has ended meanwhile.
    if (isResent && turn.acceptedAt - Number(event.event_ts) * 1_000 > RESENT_AFTER_MS) return;
    const { asker, startsThread } = turn.question;
    if (asker.user === event.user) return void (await ports.endTurn(turn.id, 'stopped'));
    // In a thread without replies Slack does not show ephemeral messages.
    const place = startsThread ? { channel } : { channel, threadTs };
    ports.inBackground(async () => {
      const by = { ...body, user: { id: event.user } };
      const { controls } = await textsFor(by, ports);
      await ports.clicks.say(by, toTextContent(controls.stopNotYours(`<@${asker.user}>`)), { place });
    });
  });

  /**
   * When a profile changes (time zone, guest or member), forget what we know of the person. When a member leaves, delete
   * what we keep of them. The event is acknowledged after that is written.
   */
  onEvent(events, 'user_change', { form: z.looseObject({ user }), ports }, async (event, installation) => {
    const { team, workspace } = installation;
    const { id, deleted, tz } = event.user;
    const person = { team, user: id };
    ports.personChanged(workspace, id);
    if (!deleted) ports.inBackground(() => ports.homeTab.refresh(person));
    const kind = isGuest(event.user, installation) ? 'guest' : 'member';
    ports.audienceChanged({ kind, workspace, user: id });
    if (deleted) await ports.personLeft(person, workspace);
    else if (tz && IANAZone.isValidZone(tz)) await ports.scheduling.move(person, tz);
  });

  /** Another organisation came or left, so other people read the channel. */
  const sharing = { form: z.looseObject({ channel: z.string() }), ports };
  const share = ({ channel }: { channel: string }, { workspace }: Installation) =>
    ports.channelChanged(workspace, channel);
  onEvent(events, 'channel_shared', sharing, share);
  onEvent(events, 'channel_unshared', sharing, share);

  /** Whether answers are posted in a channel depends on who reads it. */
  const membership = { form: z.looseObject({ channel: z.string(), user: z.string() }), ports };
  const move =
    (kind: 'joined' | 'left') =>
    (event: { channel: string; user: string }, { workspace }: Installation) =>
      ports.audienceChanged({ kind, workspace, channel: event.channel, user: event.user });
  onEvent(events, 'member_joined_channel', membership, move('joined'));
  onEvent(events, 'member_left_channel', membership, move('left'));
}
