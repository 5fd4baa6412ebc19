// What people do in Slack, and what Slack tells the app of it.
import { createLinks } from '../../src/identity/account-link.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import type { Events } from './events.ts';
import type { Fleet } from './fleet.ts';
import type { Act } from './history.ts';
import type { ServiceMachine } from './service-machine.ts';
import { BOT, type SlackMachine, TEAM } from './slack-machine.ts';
import { VAULT } from './stand-ins.ts';

/** A question of the history, and what became of its message. */
export type Written = {
  question: number;
  user: string;
  channel: string;
  ts: string;
  threadTs: string;
  isDeleted: boolean;
  isStopped: boolean;
};

export type PeopleOptions = {
  slack: SlackMachine;
  service: ServiceMachine;
  events: Events;
  fleet: Fleet;
  /** The store, without a network. */
  kernel: Kernel;
  /** Epoch ms. */
  wall(): number;
};

/** The id that the app gives to the turn of a message. */
export function toTurnId({ channel, ts }: Pick<Written, 'channel' | 'ts'>): string {
  return `message:${TEAM}:${channel}:${ts}`;
}

export function createPeople({ slack, service, events, fleet, kernel, wall }: PeopleOptions) {
  const links = createLinks(kernel);
  const written = new Map<number, Written>();

  function toMessage({ user, ts, channel }: Written, text: string) {
    const threadTs = slack.find(channel, ts)?.threadTs;
    return { user, ts, text, ...(threadTs !== ts && { thread_ts: threadTs }) };
  }

  return {
    written,
    /** A mention comes as two events. */
    ask({ question, user, channel, inThreadOf }: Extract<Act, { kind: 'ask' }>): void {
      const root = inThreadOf === undefined ? undefined : written.get(inThreadOf)?.ts;
      if (inThreadOf !== undefined && root === undefined) return;
      const isDirect = channel.startsWith('D');
      const text = isDirect ? `q${question} ` : `<@${BOT}> q${question} `;
      const ts = slack.write(channel, user, text, root);
      written.set(question, { question, user, channel, ts, threadTs: root ?? ts, isDeleted: false, isStopped: false });
      const message = { channel, user, ts, text, ...(root && { thread_ts: root }) };
      events.post({ type: 'message', channel_type: isDirect ? 'im' : 'channel', ...message });
      if (!isDirect) events.post({ type: 'app_mention', ...message });
    },
    edit(one: Written | undefined): void {
      const message = one && slack.find(one.channel, one.ts);
      if (!message) return;
      const before = toMessage(one, message.text);
      message.text += 'edited ';
      const edited = { user: one.user, ts: `${Math.floor(wall() / 1000)}.0` };
      const now = { ...toMessage(one, message.text), edited };
      const { channel } = one;
      events.post({ type: 'message', subtype: 'message_changed', channel, message: now, previous_message: before });
    },
    remove(one: Written | undefined): void {
      const message = one && slack.find(one.channel, one.ts);
      if (!message || one.isDeleted) return;
      one.isDeleted = true;
      const { channel, ts } = one;
      const before = toMessage(one, message.text);
      events.post({ type: 'message', subtype: 'message_deleted', channel, deleted_ts: ts, previous_message: before });
    },
    /** Presses *Stop*. */
    stop(one: Written | undefined): void {
      if (!one) return;
      one.isStopped = true;
      fleet.on(fleet.pick(), ({ stopTurn }) => stopTurn(toTurnId(one)).catch(() => undefined));
    },
    async signIn(user: string): Promise<void> {
      service.ended.delete(user);
      service.signedOut.delete(user);
      const key = { team: TEAM, user, purpose: 'assistant' } as const;
      const sealedTokens = VAULT.seal(JSON.stringify(service.issue(user)), '');
      const present = await links.get(key);
      const link = { ...key, schema: 1, workspace: TEAM, channelAnswers: 'thread', linkedAt: wall() } as const;
      await links.save({ ...link, sealedTokens }, present?.version ?? 0);
      fleet.on(fleet.pick(), ({ unpark }) => unpark(user).catch(() => undefined));
    },
    async signOut(user: string): Promise<void> {
      await links.delete({ team: TEAM, user, purpose: 'assistant' });
      service.signedOut.set(user, wall());
    },
  };
}
