import type { DeliveryResult } from '../delivery.ts';
import type { EventOptions } from '../events.ts';
import { seenBy } from '../messages.ts';
import type { View } from '../records.ts';
import type { Entry } from '../view-values.ts';
import { toSlackView } from '../views.ts';
import type { World } from '../world.ts';
import { giveCommand } from './command.ts';
import { type SharedFile, toSlackFile } from './files.ts';
import { click, clickInView, shortcut } from './interact.ts';
import { closeView, type Entries, fill, submit } from './modal.ts';
import { search } from './search.ts';
import { askSlackbot, type SlackbotOptions } from './slackbot.ts';
import { edit, invite, type MessageRef, remove, type SayOptions, say } from './speak.ts';

type Thread = { channel: string; threadTs: string };
type StopOptions = { keepsStreams?: boolean };

export type Person = ReturnType<typeof createPerson>;

/** Everything one person can do and see. What the real client does not allow is rejected with a sentence. */
export function createPerson(world: World, id: string) {
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
    /** The id of their DM with the app. */
    get dm(): string {
      return world.workspace.dmOf(id).id;
    },
    say: (channel: string, text: string, options: SayOptions = {}) => say(world, id, { channel, text }, options),
    edit: (message: MessageRef, text: string, options: EventOptions = {}) => edit(world, id, message, text, options),
    delete: (message: MessageRef, options: EventOptions = {}) => remove(world, id, message, options),
    /** Adds somebody, or an app, to a channel that they are in themselves. */
    invite: (channel: string, user: string) => invite(world, id, { channel, user }),
    /** `name` with its slash. Rejects in a thread, where Slack has no commands. */
    command: async (name: string, text: string, channel: string, options: { threadTs?: string } = {}) =>
      giveCommand(world, id, { name, text, channel, ...options }),
    /** Asks Slackbot, Slack's own assistant, which asks the app. */
    askSlackbot: (question: string, options?: SlackbotOptions) => askSlackbot(world, id, question, options),
    /** `what`: an action id or the words on the element; `choose`: what to pick in a menu. */
    click: async (message: MessageRef, what: string, choose?: Entry) => click(world, id, message, { what, choose }),
    shortcut: async (message: MessageRef, callbackId: string) => shortcut(world, id, message, callbackId),
    /**
     * Presses Slack's Stop button on the thread's work. What the thread shows of it is for the app to change. Whether
     * Slack ends the thread's streams itself is not documented, and reports differ; `keepsStreams`: it does not.
     */
    stop: (thread: Thread, options?: StopOptions) => stop(world, id, thread, options),
    /** Gives the thread's session another title. Rejects where there is no session. */
    renameSession: async (thread: Thread, title: string) => renameSession(world, id, { ...thread, title }),
    /** What Slack showed them where the app gave no answer, the oldest first. */
    warnings: () => world.warnings.filter(({ userId }) => userId === id),
    /** The modal in front of them. */
    openView: () => world.views.stackOf(id).at(-1),
    /** Enters values into a modal without submitting it. */
    fill,
    submit: async (view: View, entries: Entries = {}) => submit(world, id, view, entries),
    /** Uploads a file for a field of a modal, as the client does when one is chosen. Returns it as Slack has it. */
    upload: (file: SharedFile) => toSlackFile(world, id, file),
    /** Types into a field that asks the app for options; what it offers can be picked afterwards. */
    search: async (view: View, name: string, typed: string) => search(world, id, view, { name, typed }),
    closeView: async (view: View) => closeView(world, id, view),
    clickInView: async (view: View, what: string, choose?: Entry) => clickInView(world, id, view, { what, choose }),
    /** The app's home tab as last published for them. */
    home: () => world.views.home(id),
    opensHome: () => opens('home'),
    /** Opens the DM with the app, as its messages tab. */
    opensMessages: () => opens('messages'),
    /** Without a thread: the channel's own messages. With one: its root and replies. Oldest first, with what only they see. */
    sees: (channel: string, threadTs?: string) => seenBy(world.workspace, id, { channel, threadTs }),
  };
}

/** https://docs.slack.dev/reference/events/agent_session_title_changed */
function renameSession(
  world: World,
  userId: string,
  { channel, threadTs, title }: Thread & { title: string },
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
  thread: Thread,
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
