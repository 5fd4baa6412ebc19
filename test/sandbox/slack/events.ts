/** Decides which events the app gets, and wraps them: https://docs.slack.dev/apis/events-api */
import type { DeliverOptions, Delivery, DeliveryResult } from './delivery.ts';
import type { Channel, ChannelKind, Json, Message, User } from './records.ts';
import { toSlackMessage, toSlackUser } from './slack-message.ts';
import type { AudienceChange, Workspace } from './workspace.ts';
import type { World } from './world.ts';

export type EventOptions = DeliverOptions & {
  /** A mention in a channel comes as two events; which one is sent first, or alone. */
  twins?: 'mention-first' | 'message-first' | 'mention-only' | 'message-only';
  /** It happened so long ago: Slack goes on for a day to deliver where *Delayed Events* is on. */
  delayedByMs?: number;
};

type Event = Json & { type: string };

const CHANNEL_TYPE: Record<ChannelKind, string> = { im: 'im', mpim: 'mpim', public: 'channel', private: 'group' };
const SUBSCRIPTION: Record<ChannelKind, string> = {
  im: 'message.im',
  mpim: 'message.mpim',
  public: 'message.channels',
  private: 'message.groups',
};

/** The scope without which Slack does not let an app subscribe: https://docs.slack.dev/reference/events */
const SCOPE_OF_EVENT: Record<string, string> = {
  app_mention: 'app_mentions:read',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  user_change: 'users:read',
};

export type Events = ReturnType<typeof createEvents>;

type EventsWorld = Pick<World, 'workspace' | 'registration' | 'install'> & { delivery: Delivery };

/** Nothing is sent where the app is not connected, not subscribed, lacks the scope, or is not in the channel. */
export function createEvents(world: EventsWorld) {
  const { workspace, registration, delivery } = world;
  const send: Send = (subscription, event, options = {}) => {
    const install = world.install();
    if (!install || !isSubscribed(registration, subscription)) return [];
    const built = buildEnvelope(workspace, event, install.isEnterprise);
    const payload = { ...built, event_time: Math.floor((Date.now() - (options.delayedByMs ?? 0)) / 1000) };
    return [delivery.send({ kind: 'event', type: event.type, payloadId: payload.event_id, payload, options })];
  };
  const sendMessage = (id: string, event: Json, options?: EventOptions) => {
    const channel = workspace.channel(id);
    if (!channel.members.has(workspace.app.botUserId)) return [];
    const full = { ...event, type: 'message', channel: id, channel_type: CHANNEL_TYPE[channel.kind] };
    return send(SUBSCRIPTION[channel.kind], full, options);
  };
  const withTs = (event: Event): Event => ({ event_ts: workspace.identifiers.ts(), ...event });

  return {
    /** Any other event. */
    emit: (event: Event, options?: EventOptions) => Promise.all(send(event.type, withTs(event), options)),
    userChanged(user: User): Told {
      const event = { type: 'user_change', user: toSlackUser(user, workspace.team) };
      return Promise.all(send('user_change', withTs(event)));
    },
    audienceChanged({ type, channel, user }: AudienceChange): Told {
      // Of a private channel only its members hear anything.
      const isHeard = channel.kind !== 'private' || channel.members.has(workspace.app.botUserId);
      const scope = channel.kind === 'private' ? 'groups:read' : 'channels:read';
      if (!isHeard || !registration.scopes.has(scope)) return Promise.resolve([]);
      const channel_type = channel.kind === 'private' ? 'G' : 'C';
      const who = user === undefined ? {} : { user, channel_type, team: workspace.team.id };
      return Promise.all(send(type, withTs({ type, channel: channel.id, ...who })));
    },
    /** The app's installation here, or in the whole organisation, is over. Sent though nothing is installed any more. */
    async ended(event: Event, options: { isEnterprise: boolean; eventTime?: number }): Told {
      if (!isSubscribed(registration, event.type)) return [];
      const payload = buildEndEnvelope(workspace, withTs(event), options);
      return [await delivery.send({ kind: 'event', type: event.type, payloadId: payload.event_id, payload })];
    },
    posted(message: Message, options: EventOptions = {}): Told {
      const event = { ...toSlackMessage(message, { withMetadata: true }), event_ts: message.ts };
      const isMention = mentionsBot(workspace, workspace.channel(message.channel), message);
      const mention = () =>
        isMention ? send('app_mention', { ...event, type: 'app_mention', channel: message.channel }, options) : [];
      return Promise.all(inOrder(options.twins, mention, () => sendMessage(message.channel, event, options)));
    },
    changed(message: Message, previous: Json, options?: EventOptions): Told {
      const event = { subtype: 'message_changed', message: toSlackMessage(message), previous_message: previous };
      const change = () => sendMessage(message.channel, { ...event, ...hidden(workspace) }, options);
      const isMention = message.edited && mentionsBot(workspace, workspace.channel(message.channel), message);
      if (!isMention || message.text === previous.text) return Promise.all(change());
      // An edited message that mentions the app is a mention once more, be the mention new or not.
      const mention = { ...toSlackMessage(message), type: 'app_mention', channel: message.channel };
      const again = () => send('app_mention', withTs(mention), options);
      return Promise.all(inOrder(options?.twins, again, change));
    },
    /** Of a root with replies a tombstone stays, and the app hears of a change. */
    entombed({ channel, ts }: Message, previous_message: Json, options?: EventOptions): Told {
      const message = {
        type: 'message',
        subtype: 'tombstone',
        user: 'USLACKBOT',
        text: 'This message was deleted.',
        hidden: true,
        ts,
        thread_ts: ts,
      };
      const event = { subtype: 'message_changed', message, previous_message };
      return Promise.all(sendMessage(channel, { ...event, ...hidden(workspace) }, options));
    },
    deleted(message: Message, options?: EventOptions): Told {
      const event = { subtype: 'message_deleted', previous_message: toSlackMessage(message), deleted_ts: message.ts };
      return Promise.all(sendMessage(message.channel, { ...event, ...hidden(workspace) }, options));
    },
  };
}

type Told = Promise<DeliveryResult[]>;
type Sending = Promise<DeliveryResult>[];
type Send = (subscription: string, event: Event, options?: EventOptions) => Sending;

function isSubscribed(registration: World['registration'], name: string): boolean {
  const scope = SCOPE_OF_EVENT[name];
  const isConnected = registration.eventsUrl !== undefined || registration.isSocketMode;
  if (!isConnected || !registration.events.has(name)) return false;
  return scope === undefined || registration.scopes.has(scope);
}

type Envelope = Json & { event_id: string };

/** The envelope that Slack puts around an event. */
function buildEnvelope(workspace: Workspace, event: Event, isEnterprise: boolean): Envelope {
  const { team, app } = workspace;
  const channel = workspace.channels.get(String(event.channel));
  const enterpriseId = team.enterprise?.id ?? null;
  return {
    ...buildOuter(workspace, event),
    team_id: team.id,
    ...(enterpriseId !== null && { enterprise_id: enterpriseId }),
    context_team_id: team.id,
    context_enterprise_id: enterpriseId,
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: team.id,
        user_id: app.botUserId,
        is_bot: true,
        is_enterprise_install: isEnterprise,
      },
    ],
    is_ext_shared_channel: channel?.isExtShared ?? false,
  };
}

/** Nothing is authorized any more. What concerns the organisation as a whole names no team. */
function buildEndEnvelope(
  workspace: Workspace,
  event: Event,
  { isEnterprise, eventTime }: { isEnterprise: boolean; eventTime?: number },
): Envelope {
  const { team } = workspace;
  return {
    ...buildOuter(workspace, event),
    team_id: isEnterprise ? null : team.id,
    ...(team.enterprise && { enterprise_id: team.enterprise.id }),
    ...(eventTime !== undefined && { event_time: eventTime }),
  };
}

function buildOuter({ app, identifiers }: Workspace, event: Event): Envelope {
  return {
    token: 'sandbox-verification-token',
    api_app_id: app.appId,
    event,
    type: 'event_callback',
    event_id: identifiers.next('Ev'),
    event_time: Math.floor(Date.now() / 1000),
    event_context: `4-${app.appId}-${String(event.event_ts)}`,
  };
}

function inOrder(twins: EventOptions['twins'], mention: () => Sending, message: () => Sending): Sending {
  if (twins === 'mention-only') return mention();
  if (twins === 'message-only') return message();
  return twins === 'message-first' ? [...message(), ...mention()] : [...mention(), ...message()];
}

function hidden(workspace: Workspace): Json {
  const ts = workspace.identifiers.ts();
  return { hidden: true, ts, event_ts: ts };
}

function mentionsBot(workspace: Workspace, channel: Channel, message: Message): boolean {
  const bot = workspace.app.botUserId;
  return channel.kind !== 'im' && channel.members.has(bot) && message.user !== bot && message.text.includes(`<@${bot}`);
}
