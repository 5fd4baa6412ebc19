import type { DeliveryResult } from '../delivery.ts';
import type { EventOptions } from '../events.ts';
import type { Message, View } from '../records.ts';
import { seenBy } from '../seen-by.ts';
import type { Entry } from '../view-values.ts';
import { toSlackView } from '../views.ts';
import type { Warning } from '../warnings.ts';
import type { World } from '../world.ts';
import { type CommandResult, giveCommand } from './command.ts';
import { type ClickResult, click, clickInView, shortcut } from './interact.ts';
import { closeView, type Entries, fill, type SubmitResult, submit } from './modal.ts';
import { type SearchResult, search } from './search.ts';
import { askSlackbot, type SlackbotAnswer, type SlackbotOptions } from './slackbot.ts';
import { edit, invite, type MessageRef, remove, type SaidMessage, type SayOptions, say } from './speak.ts';

type StopOptions = { keepsStreams?: boolean };

/** Everything one person can do and see. What the real client does not allow is rejected with a sentence. */
export type Person = {
  readonly id: string;
  /** The id of their DM with the app. */
  readonly dm: string;
  say(channel: string, text: string, options?: SayOptions): Promise<SaidMessage>;
  edit(message: MessageRef, newText: string, options?: EventOptions): Promise<DeliveryResult[]>;
  delete(message: MessageRef, options?: EventOptions): Promise<DeliveryResult[]>;
  /** Adds somebody, or an app, to a channel that they are in themselves. */
  invite(channel: string, user: string): void;
  /** `name` with its slash. Rejects in a thread, where Slack has no commands. */
  command(name: string, text: string, channel: string, options?: { threadTs?: string }): Promise<CommandResult>;
  /** Asks Slackbot, Slack's own assistant, which asks the app. */
  askSlackbot(question: string, options?: SlackbotOptions): Promise<SlackbotAnswer>;
  /** `what`: an action id or the words on the element; `choose`: what to pick in a menu. */
  click(message: MessageRef, what: string, choose?: Entry): Promise<ClickResult>;
  shortcut(message: MessageRef, callbackId: string): Promise<ClickResult>;
  /**
   * Presses Slack's Stop button on the thread's work. What the thread shows of it is for the app to change. Whether Slack
   * ends the thread's streams itself is not documented, and reports differ; `keepsStreams`: it does not.
   */
  stop(thread: { channel: string; threadTs: string }, options?: StopOptions): Promise<DeliveryResult[]>;
  /** Gives the thread's session another title. Rejects where there is no session. */
  renameSession(thread: { channel: string; threadTs: string }, title: string): Promise<DeliveryResult[]>;
  /** What Slack showed them where the app gave no answer, the oldest first. */
  warnings(): Warning[];
  /** The modal in front of them. */
  openView(): View | undefined;
  /** Enters values into a modal without submitting it. */
  fill(view: View, entries: Entries): void;
  submit(view: View, entries?: Entries): Promise<SubmitResult>;
  /** Types into a field that asks the app for options; what it offers can be picked afterwards. */
  search(view: View, field: string, typed: string): Promise<SearchResult>;
  closeView(view: View): Promise<void>;
  clickInView(view: View, what: string, choose?: Entry): Promise<ClickResult>;
  /** The app's home tab as last published for them. */
  home(): View | undefined;
  opensHome(): Promise<DeliveryResult[]>;
  /** Opens the DM with the app, as its messages tab. */
  opensMessages(): Promise<DeliveryResult[]>;
  /** Without a thread: the channel's own messages. With one: its root and replies. Oldest first, with what only they see. */
  sees(channel: string, threadTs?: string): Message[];
};

export function createPerson(world: World, id: string): Person {
  const opens = (tab: 'home' | 'messages') =>
    world.events.emit({
      type: 'app_home_opened',
      user: id,
      channel: world.workspace.dmOf(id).id,
      tab,
      ...(tab === 'home' && homeView()),
    });
  // Once a view was published, the event says what they see: https://docs.slack.dev/reference/events/app_home_opened
  const homeView = () => {
    const view = world.views.home(id);
    return view && { view: toSlackView(view, world) };
  };
  return {
    id,
    get dm() {
      return world.workspace.dmOf(id).id;
    },
    say: (channel, text, options = {}) => say(world, id, { channel, text }, options),
    edit: (message, newText, options = {}) => edit(world, id, message, newText, options),
    delete: (message, options = {}) => remove(world, id, message, options),
    invite: (channel, user) => invite(world, id, { channel, user }),
    command: async (name, text, channel, options = {}) => giveCommand(world, id, { name, text, channel, ...options }),
    askSlackbot: (question, options) => askSlackbot(world, id, question, options),
    click: async (message, what, choose) => click(world, id, message, { what, choose }),
    shortcut: async (message, callbackId) => shortcut(world, id, message, callbackId),
    stop: (thread, options) => stop(world, id, thread, options),
    renameSession: async (thread, title) => renameSession(world, id, { ...thread, title }),
    warnings: () => world.warnings.filter(({ userId }) => userId === id),
    openView: () => world.views.stackOf(id).at(-1),
    fill,
    submit: async (view, entries = {}) => submit(world, id, view, entries),
    search: async (view, name, typed) => search(world, id, view, { name, typed }),
    closeView: async (view) => closeView(world, id, view),
    clickInView: async (view, what, choose) => clickInView(world, id, view, { what, choose }),
    home: () => world.views.home(id),
    opensHome: () => opens('home'),
    opensMessages: () => opens('messages'),
    sees: (channel, threadTs) => seenBy(world.workspace, id, { channel, ...(threadTs !== undefined && { threadTs }) }),
  };
}

/** https://docs.slack.dev/reference/events/agent_session_title_changed */
function renameSession(
  world: World,
  userId: string,
  { channel, threadTs, title }: { channel: string; threadTs: string; title: string },
): Promise<DeliveryResult[]> {
  const { sessions, team } = world.workspace;
  const before = sessions.session({ channel, threadTs });
  if (!before) throw new Error(`There is no session in ${channel} ${threadTs}.`);
  sessions.rename({ channel, threadTs }, title);
  return world.events.emit({
    type: 'agent_session_title_changed',
    user: userId,
    channel,
    team_id: team.id,
    ...(team.enterprise && { enterprise_id: team.enterprise.id }),
    thread_ts: threadTs,
    title,
    ...(before.title !== '' && { previous_title: before.title }),
  });
}

async function stop(
  world: World,
  userId: string,
  thread: { channel: string; threadTs: string },
  { keepsStreams = false }: StopOptions = {},
): Promise<DeliveryResult[]> {
  const streaming = world.workspace.messages
    .inThread(thread.channel, thread.threadTs)
    .filter((message) => message.stream?.state === 'streaming');
  for (const { stream } of keepsStreams ? [] : streaming) if (stream) stream.state = 'stopped_by_user';
  return world.events.emit({
    type: 'agent_session_stopped',
    user: userId,
    channel: thread.channel,
    thread_ts: thread.threadTs,
    streaming_message_ts: streaming.map((message) => message.ts),
  });
}
