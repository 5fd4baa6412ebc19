// Clicks and windows.
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Shapes } from './shape.ts';
import {
  ANA,
  BEN,
  BOT,
  CHANNEL,
  CLICKED_IN_GRID,
  CLICKED_IN_WIDE,
  DIRECT,
  TS,
  toClick,
  toDirect,
  toEvent,
  toInteraction,
  toView,
  WANDA,
} from './shapes.ts';

const asked = toDirect('when is it?');
const turn = `message:T0ACME:${DIRECT}:${asked.ts}`;
const IN_DIRECT = {
  channel: { id: DIRECT, name: 'directmessage' },
  container: { type: 'message', message_ts: TS, channel_id: DIRECT, thread_ts: asked.ts, is_ephemeral: false },
};
const EPHEMERAL = {
  container: { type: 'message', message_ts: TS, channel_id: CHANNEL, is_ephemeral: true },
  message: undefined,
};
const asks = (action_id: string, more: Json = {}, value = turn) =>
  toClick({ action_id, value }, { ...IN_DIRECT, ...more });

const signIn = (more: Json) => toClick({ action_id: 'sign_in', value: 'assistant' }, more);
/** A click in a window or on the home tab. */
const clickIn = (view: Json, action: Json) =>
  toInteraction('block_actions', {
    container: { type: 'view', view_id: 'V0ASK' },
    view: toView(view),
    actions: [{ block_id: 'b', type: 'button', ...action }],
  });

const CLICKS: Shapes = {
  'Ask again without web': {
    before: [toEvent(asked)],
    body: asks('ask_without_web'),
    question: { isAskedAgain: true, webSearch: false },
  },
  'a second click while it runs': {
    before: [toEvent(asked), asks('ask_without_web')],
    body: asks('ask_without_web'),
    comes: 'known question',
  },
  'Ask again': { before: [toEvent(asked)], body: asks('ask_again'), question: { isAskedAgain: true } },
  'Ask again by somebody else': {
    before: [toEvent(asked)],
    body: asks('ask_again', { user: { id: BEN } }),
    comes: 'chat.postMessage',
  },
  'Ask again of a question that is forgotten': {
    body: asks('ask_again', {}, 'message:T0ACME:C0PLANS:1.1'),
    comes: 'chat.postMessage',
  },
  'Share in thread': { before: [toEvent(asked)], body: asks('share_in_thread'), question: { shares: [] } },
  'Cancel the question': { before: [toEvent(asked)], body: asks('cancel_waiting'), comes: 'stopped' },
  feedback: {
    body: toClick({ action_id: 'feedback', type: 'feedback_buttons', value: `good ${turn}` }),
    comes: 'chat.postEphemeral',
  },
  'a click in an ephemeral message': {
    body: signIn(EPHEMERAL),
    comes: ['views.open', 'views.update'],
  },
  'a click at the root of a channel': {
    body: toClick(
      { action_id: 'feedback', value: 'bad x' },
      {
        container: { type: 'message', message_ts: TS, channel_id: CHANNEL, is_ephemeral: false },
        message: { type: 'message', ts: TS },
      },
    ),
    comes: ['views.open', 'views.update', 'response_url'],
  },
  'Disconnect in a direct message': {
    body: toClick({ action_id: 'sign_out', value: 'assistant' }, IN_DIRECT),
    comes: 'chat.update',
  },
  'Disconnect in an ephemeral message': {
    body: toClick({ action_id: 'sign_out', value: 'assistant' }, EPHEMERAL),
    comes: 'response_url',
  },
  'a button that only opens an address': { body: toClick({ action_id: 'open_address', url: 'https://x.example' }) },
  'a click in a window': {
    body: clickIn({ callback_id: 'sign_in' }, { action_id: 'open_address' }),
  },
  'a click on the home tab that no release knows': {
    body: clickIn({ type: 'home', callback_id: '' }, { action_id: 'of_another_release', value: 'x' }),
    comes: 'chat.postMessage',
  },
  'a button of another release': {
    body: toClick({ action_id: 'of_another_release', value: 'x' }),
    comes: 'chat.postEphemeral',
  },
  'a button of another release in a window': {
    body: clickIn(
      {},
      {
        ...{ action_id: 'of_another_release', type: 'static_select' },
        selected_option: { value: 'x', text: { type: 'plain_text', text: 'x' } },
      },
    ),
    comes: 'views.update',
  },
  'a click by somebody of the Grid': {
    body: signIn(CLICKED_IN_GRID),
    comes: ['views.open', 'views.update'],
  },
  'a click where the whole organisation has installed us': {
    body: signIn(CLICKED_IN_WIDE),
    comes: ['views.open', 'views.update'],
  },
  'a click of a team that never installed us': {
    body: signIn({ team: { id: 'T0NOBODY', domain: 'x' }, user: { id: ANA, team_id: 'T0NOBODY' } }),
    status: 403,
    complaint: 'Authorization of incoming event did not succeed',
  },
};

const typed = (block: string, value: string | null) => ({
  state: { values: { [block]: { [block]: { type: 'plain_text_input', value } } } },
});

const WINDOWS: Shapes = {
  'the window of a question': {
    body: toInteraction('view_submission', {
      view: toView({ private_metadata: CHANNEL, ...typed('web_off_question', 'what is new?') }),
      response_urls: [],
    }),
    question: { text: 'what is new?', webSearch: false, channel: CHANNEL },
  },
  'the same where the whole organisation has installed us': {
    body: toInteraction('view_submission', {
      ...CLICKED_IN_WIDE,
      view: toView({
        id: 'V0WIDE',
        private_metadata: CHANNEL,
        app_installed_team_id: 'E0WIDE',
        ...typed('web_off_question', 'what is new?'),
      }),
      response_urls: [],
    }),
    question: { workspace: 'E0WIDE', asker: { team: 'E0WIDE', user: WANDA } },
  },
  'a window that was opened in a team of somebody else': {
    body: toInteraction('view_submission', {
      ...{ team: { id: 'T0OTHER', domain: 'other' }, user: { id: ANA, team_id: 'T0OTHER' } },
      view: toView({ private_metadata: CHANNEL, ...typed('web_off_question', 'what is new?') }),
    }),
    question: { workspace: 'T0ACME' },
  },
  'the window of a question that is too long to be shown': {
    body: toInteraction('view_submission', {
      view: toView({ private_metadata: CHANNEL, ...typed('web_off_question', '&'.repeat(3_000)) }),
      response_urls: [],
    }),
    reply: 'too long to be shown',
  },
  'a window of another release': {
    body: toInteraction('view_submission', { view: toView({ callback_id: 'of_another_release' }) }),
    reply: 'older version',
  },
  'a window that is closed': { body: toInteraction('view_closed', { view: toView(), is_cleared: false }) },
  'suggestions that are asked for by who may not': {
    body: toInteraction('block_suggestion', {
      container: { type: 'view', view_id: 'V0ASK' },
      view: toView({ callback_id: 'admin_search' }),
      action_id: 'admin_search',
      block_id: 'admin_search',
      value: 'sales',
    }),
    reply: 'options',
  },
  'suggestions of another release': {
    body: toInteraction('block_suggestion', {
      container: { type: 'message', channel_id: CHANNEL, message_ts: TS },
      channel: { id: CHANNEL, name: 'plans' },
      message: { ts: TS, user: BOT },
      action_id: 'of_another_release',
      block_id: 'b',
      value: '',
    }),
    reply: 'options',
  },
};

export const CLICK_SHAPES: Shapes = { ...CLICKS, ...WINDOWS };
