// A world at rest as people and the service saw it.
import { createHash } from 'node:crypto';
import type { Conversations, Reply, Request } from '../faults/conversation-promises.ts';
import { toEnding } from '../faults/ending.ts';
import { readAnsweredItem } from '../faults/item.ts';
import { type History, mayLoseLanes } from './history.ts';
import { toTurnId, type Written } from './people.ts';
import { BOT, type SlackMessage } from './slack-machine.ts';
import { BEGIN } from './virtual-time.ts';
import type { Rest } from './world.ts';

/** Order is that of acceptance; what waited for a sign-in comes after those that did not. */
export function readConversations({ slack, service, store, written, history }: Rest): Conversations {
  const ours = slack.messages().filter(({ user }) => user === BOT);
  const byTurn = Map.groupBy(ours, ({ metadata }) => metadata?.event_payload.turn);
  const requests = Map.groupBy(service.asked, ({ text }) => text.trim().split(' ')[0] ?? '');
  const accepted = store.all().map(({ id, hasPrompted }, rank) => [id, hasPrompted === undefined ? rank : undefined]);
  const ranks = new Map(accepted as [string, number | undefined][]);
  const names = new Set(written.map(({ question }) => `q${question}`));
  const hashes = new Set<string | undefined>(written.map(toHash));
  return {
    questions: written.map((one) => {
      const name = `q${one.question}`;
      return {
        name,
        author: one.user,
        place: `${one.channel} ${one.threadTs}`,
        rank: ranks.get(toTurnId(one)),
        isExcused: one.isDeleted || one.isStopped,
        replies: (byTurn.get(toHash(one)) ?? []).map(toReply),
        requests: (requests.get(name) ?? []).map((request) => toRequest(request, history)),
        describe: () => name,
      };
    }),
    strays: [
      ...ours
        .filter(({ metadata, channel }) => channel.startsWith('C') && !hashes.has(metadata?.event_payload.turn))
        .map(({ channel, ts, text }) => `${channel} ${ts} says “${text.slice(0, 60)}”`),
      ...[...requests.keys()].filter((name) => !names.has(name)).map((name) => `“${name}” was asked by nobody`),
    ],
    unfinished: [
      ...slack.busy().map((thread) => `${thread} looks busy`),
      ...ours
        .filter(({ stream }) => stream === 'in_progress')
        .map(({ channel, ts }) => `${channel} ${ts} is still streamed`),
    ],
  };
}

function toReply({ channel, threadTs, ts, text, blocks }: SlackMessage): Reply {
  const item = readAnsweredItem(text);
  const answers = item === undefined ? undefined : `q${item}`;
  return { place: `${channel} ${threadTs}`, ts, answers, ending: toEnding({ text, blocks }) };
}

/** Where a replica may have lost its lane meanwhile, others go on before its request has ended. */
function toRequest({ owner, text, at, until }: Rest['service']['asked'][number], history: History): Request {
  const end = mayLoseLanes(history, until - BEGIN) ? at : until;
  return { by: owner, at, until: end, isProcessed: true, isEdited: text.includes('edited') };
}

/** As find-message.ts names a turn in the metadata of a message. */
function toHash(one: Written): string {
  return createHash('sha256').update(toTurnId(one)).digest('base64url').slice(0, 22);
}
