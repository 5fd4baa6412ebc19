/** Reads from the sandbox what one person sees. */
import { listFiles } from '../assistant/simulated-documents.ts';
import { ACCOUNTS, type Sandbox } from '../sandbox.ts';
import { isStreaming } from '../slack/messages.ts';
import type { Person } from '../slack/people/person.ts';
import type { Channel, Message, User } from '../slack/records.ts';
import { createDrawing, type Drawing } from './draw-blocks.ts';
import type { Looking, ShownConversation, ShownMessage, ShownPerson, Sight } from './sight.ts';

export function createSights({ slack }: Sandbox, { hasPanel }: Pick<Sight, 'hasPanel'>) {
  const { workspace } = slack;
  const { features } = slack.registration;
  const read: ReadMarks = new Map();
  const people = [...workspace.users.values()].filter((user) => !user.isBot && !user.isStranger && !user.deleted);
  const fixed = {
    hasPanel,
    team: workspace.team.name,
    commands: (features.slash_commands ?? []).map((one) => ({
      name: one.command,
      description: one.description ?? '',
      hint: one.usage_hint ?? '',
    })),
    shortcuts: (features.shortcuts ?? [])
      .filter(({ type }) => type === 'message')
      .map((one) => ({ name: one.name, id: one.callback_id })),
  };

  function readSight({ person: id, channel, thread }: Looking): Sight {
    const person = slack.as(id);
    const dm = person.dm;
    const mine = conversationsOf(id);
    const at = mine.find((one) => one.id === channel)?.id;
    if (at !== undefined) read.set(`${id} ${at}`, latestTs(person, at));
    const { locale, tz: timeZone = 'UTC' } = workspace.user(id);
    const draw = createDrawing({ locale, timeZone });
    const show = (message: Message) => toShown(message, person, draw);
    const shownThread = at === undefined || thread === undefined ? undefined : toThread(person, at, thread, show);
    return {
      ...fixed,
      me: { id, locale },
      files: listFiles(new Map<string, string>(Object.entries(ACCOUNTS)).get(id)),
      people: people.map((user) => toPerson(user)),
      app: {
        id: slack.botUserId,
        dm,
        prompts: workspace.prompts.get(dm) ?? features.agent_view?.suggested_prompts ?? [],
      },
      conversations: mine.map((one) => toConversation(one, person)),
      channel: at,
      messages: at === undefined ? [] : person.sees(at).map(show),
      thread: shownThread,
      home: draw.view(person.home()),
      modal: draw.view(person.openView()),
      warnings: person.warnings(),
      names: Object.fromEntries(
        [...workspace.users.values()]
          .map((user) => [user.id, user.realName] as const)
          .concat(
            [...workspace.channels.values()].map((one) => [one.id, one.name] as const),
            [...workspace.usergroups].map(([group, { handle }]) => [group, handle] as const),
          ),
      ),
    };
  }

  function conversationsOf(id: string): Channel[] {
    return [...workspace.channels.values()].filter((one) => one.members.has(id) && !one.isArchived);
  }

  function toThread(
    person: Person,
    channel: string,
    ts: string,
    show: (message: Message) => ShownMessage,
  ): Sight['thread'] {
    const messages = person.sees(channel, ts);
    if (messages.length === 0) return undefined;
    return { ts, messages: messages.map(show), status: workspace.status(channel, ts) };
  }

  function toPerson(user: User): ShownPerson {
    const person = slack.as(user.id);
    return {
      id: user.id,
      name: user.realName,
      role: user.isAdmin ? 'admin' : user.isRestricted ? 'guest' : 'member',
      timeZone: user.tz ?? 'UTC',
      hasNews: conversationsOf(user.id).some((one) => one.id === person.dm && countUnread(person, one.id) > 0),
    };
  }

  function toConversation(channel: Channel, person: Person): ShownConversation {
    const others = [...channel.members].filter((id) => id !== person.id).map((id) => workspace.user(id).realName);
    const isDirect = channel.kind === 'im' || channel.kind === 'mpim';
    return {
      id: channel.id,
      name: isDirect ? others.join(', ') : channel.name,
      kind: channel.kind,
      unread: countUnread(person, channel.id),
      isShared: channel.isExtShared,
      hasApp: channel.members.has(slack.botUserId),
      members: [...channel.members],
    };
  }

  /** What they see there and did not write: at the root, and in threads that they take part in. */
  function news(person: Person, channel: string): Message[] {
    const roots = person.sees(channel);
    const replies = roots.flatMap((root) => {
      const thread = person.sees(channel, root.ts).slice(1);
      const takesPart = [root, ...thread].some((one) => one.user === person.id);
      return takesPart ? thread : thread.filter((one) => one.ephemeralFor === person.id);
    });
    return [...roots, ...replies].filter((one) => one.user !== person.id);
  }

  function countUnread(person: Person, channel: string): number {
    const since = read.get(`${person.id} ${channel}`) ?? '';
    return news(person, channel).filter(({ ts }) => ts > since).length;
  }

  function latestTs(person: Person, channel: string): string {
    return (
      news(person, channel)
        .map(({ ts }) => ts)
        .sort()
        .at(-1) ?? ''
    );
  }

  function toShown(message: Message, person: Person, draw: Drawing): ShownMessage {
    const { stream: _, ...shown } = message;
    const thread = message.threadTs === undefined ? person.sees(message.channel, message.ts).slice(1) : [];
    const replies = thread.filter(({ ephemeralFor }) => ephemeralFor === undefined);
    return {
      ...shown,
      ...draw.message(message),
      isStreaming: isStreaming(message),
      thread: {
        replies: replies.length,
        latestTs: replies.at(-1)?.ts,
        status: workspace.status(message.channel, message.ts),
      },
    };
  }

  return {
    read: readSight,
    /** Tells the listeners that something may have changed. */
    changed: slack.changed.notify,
    listen: slack.changed.listen,
  };
}

/** The latest message that a person has seen, by `person channel`. */
type ReadMarks = Map<string, string>;
