// What Slack puts around and into its payloads, as it documents them and as they are seen in public code. All ids and
// words are our own.
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';

export const [ANA, BEN, KIM] = ['U0ANA', 'U0BEN', 'U0KIM'];

/** Ids of people in a Grid organisation. */
export const WANDA = 'W0WANDA';

export const CHANNEL = 'C0PLANS';
export const DIRECT = 'D0ANA';

export const BOT = 'U0BRIDGE';

/** An id of the message that every payload is about, unless it says otherwise. */
export const TS = '1795000000.000100';

/** An earlier message: the root of a thread. */
export const ROOT_TS = '1794999000.000100';

export type Place = {
  team?: string;
  enterprise?: string | null;
  /** Whose installation it is for, if that is not `team`. */
  context?: string;
  isOrganisation?: boolean;
};

let events = 0;

/** The envelope of an event. */
export function toEvent(event: Json, place: Place = {}, more: Json = {}): Json {
  const { team = 'T0ACME', enterprise = null, context = team, isOrganisation = false } = place;
  events += 1;
  return {
    token: 'not-a-secret',
    team_id: team,
    ...(enterprise && { enterprise_id: enterprise }),
    context_team_id: context,
    context_enterprise_id: enterprise,
    api_app_id: 'A0BRIDGE',
    event,
    type: 'event_callback',
    event_id: `Ev${events}`,
    event_time: 1_795_000_000,
    authorizations: [
      {
        enterprise_id: enterprise,
        team_id: isOrganisation ? null : context,
        user_id: BOT,
        is_bot: true,
        is_enterprise_install: isOrganisation,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${events}`,
    ...more,
  };
}

export const IN_GRID: Place = { team: 'T0GRID', enterprise: 'E0ORG' };
export const IN_WIDE: Place = { team: 'T0PART', enterprise: 'E0WIDE', isOrganisation: true };

/** In the envelope of an event that is of the whole organisation, and of none of its teams. */
export const OF_WIDE: Json = {
  ...{ team_id: null, context_team_id: null, enterprise_id: 'E0WIDE', context_enterprise_id: 'E0WIDE' },
  authorizations: [{ enterprise_id: 'E0WIDE', team_id: null, user_id: BOT, is_bot: true, is_enterprise_install: true }],
};

/** In an interaction in the Grid, and where the whole organisation has installed us. */
export const CLICKED_IN_GRID: Json = {
  team: { id: 'T0GRID', domain: 'grid', enterprise_id: 'E0ORG', enterprise_name: 'Org' },
  enterprise: { id: 'E0ORG', name: 'Org' },
  user: { id: WANDA, team_id: 'T0GRID' },
};
export const CLICKED_IN_WIDE: Json = {
  team: null,
  enterprise: { id: 'E0WIDE', name: 'Wide' },
  is_enterprise_install: true,
  user: { id: WANDA, team_id: 'T0PART' },
};

let messages = 100;

/** A new `ts`, as every message has its own. */
export function nextTs(): string {
  messages += 1;
  return `1795000000.${String(messages).padStart(6, '0')}`;
}

/** As people write: text and, in step with it, rich text. */
export function toMessage(text: string, more: Json = {}): Json {
  const ts = nextTs();
  return {
    type: 'message',
    user: ANA,
    ts,
    client_msg_id: `0b5f7c1e-0000-4000-8000-${ts.slice(-6).padStart(12, '0')}`,
    text,
    team: 'T0ACME',
    blocks: [toRichText(text)],
    channel: CHANNEL,
    event_ts: ts,
    channel_type: 'channel',
    ...more,
  };
}

/** What Slack writes itself, in a channel: without the fields of a message of a person. */
export function toNotice(subtype: string, more: Json = {}): Json {
  const place = { channel: CHANNEL, channel_type: 'channel' };
  return { type: 'message', subtype, ...place, ts: nextTs(), event_ts: nextTs(), ...more };
}

export function toDirect(text: string, more: Json = {}): Json {
  return toMessage(text, { channel: DIRECT, channel_type: 'im', ...more });
}

function toRichText(text: string): Json {
  const elements = text.split(/(<@\w+>)/).flatMap((part): Json[] => {
    const user = /^<@(\w+)>$/.exec(part)?.[1];
    if (user) return [{ type: 'user', user_id: user }];
    return part === '' ? [] : [{ type: 'text', text: part }];
  });
  return { type: 'rich_text', block_id: 'tYpEd', elements: [{ type: 'rich_text_section', elements }] };
}

export const MENTION = `<@${BOT}>`;

/** The two events of one mention: Slack sends both, in any order. */
export function toTwins(text: string, more: Json = {}): [Json, Json] {
  const message = toMessage(`${MENTION} ${text}`, more);
  const { channel_type, ...rest } = message;
  return [message, { ...rest, type: 'app_mention' }];
}

export function toFile(more: Json = {}): Json {
  return {
    id: 'F0PLAN',
    created: 1_795_000_000,
    timestamp: 1_795_000_000,
    name: 'plan.pdf',
    title: 'Plan',
    mimetype: 'application/pdf',
    filetype: 'pdf',
    pretty_type: 'PDF',
    user: ANA,
    user_team: 'T0ACME',
    editable: false,
    size: 12_345,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: true,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: 'https://files.slack.com/files-pri/T0ACME-F0PLAN/plan.pdf',
    url_private_download: 'https://files.slack.com/files-pri/T0ACME-F0PLAN/download/plan.pdf',
    permalink: 'https://acme.slack.com/files/U0ANA/F0PLAN/plan.pdf',
    permalink_public: 'https://slack-files.com/T0ACME-F0PLAN-0',
    has_rich_preview: false,
    file_access: 'visible',
    ...more,
  };
}

/** What all interactions have. */
export function toInteraction(type: string, more: Json = {}): Json {
  return {
    type,
    user: { id: ANA, username: 'ana', name: 'ana', team_id: 'T0ACME' },
    api_app_id: 'A0BRIDGE',
    token: 'not-a-secret',
    trigger_id: `1.2.${nextTs()}`,
    team: { id: 'T0ACME', domain: 'acme' },
    enterprise: null,
    is_enterprise_install: false,
    ...more,
  };
}

/** A click on a button: in a message unless told otherwise. */
export function toClick(action: Json, more: Json = {}): Json {
  const message = { type: 'message', user: BOT, bot_id: 'B0BRIDGE', ts: TS, thread_ts: ROOT_TS, text: 'An answer' };
  return toInteraction('block_actions', {
    container: { type: 'message', message_ts: TS, channel_id: CHANNEL, is_ephemeral: false, thread_ts: ROOT_TS },
    channel: { id: CHANNEL, name: 'plans' },
    message,
    state: { values: {} },
    response_url: '',
    actions: [
      {
        block_id: 'bUtT',
        text: { type: 'plain_text', text: 'A button', emoji: true },
        type: 'button',
        action_ts: '1795000001.000000',
        ...action,
      },
    ],
    ...more,
  });
}

export function toView(more: Json = {}): Json {
  return {
    id: 'V0ASK',
    team_id: 'T0ACME',
    type: 'modal',
    blocks: [],
    private_metadata: '',
    callback_id: 'web_off_question',
    state: { values: {} },
    hash: '1795000000.abc',
    title: { type: 'plain_text', text: 'A window', emoji: false },
    clear_on_close: false,
    notify_on_close: false,
    close: null,
    submit: null,
    previous_view_id: null,
    root_view_id: 'V0ASK',
    app_id: 'A0BRIDGE',
    external_id: '',
    app_installed_team_id: 'T0ACME',
    bot_id: 'B0BRIDGE',
    ...more,
  };
}

export function toCommand(command: string, text: string, more: Json = {}): Json {
  return {
    token: 'not-a-secret',
    team_id: 'T0ACME',
    team_domain: 'acme',
    channel_id: CHANNEL,
    channel_name: 'plans',
    user_id: ANA,
    user_name: 'ana',
    command,
    text,
    api_app_id: 'A0BRIDGE',
    is_enterprise_install: 'false',
    response_url: '',
    trigger_id: `1.2.${nextTs()}`,
    ...more,
  };
}
