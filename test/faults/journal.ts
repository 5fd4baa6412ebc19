import type { ChatRecord } from '@assistant-bridge/sandbox/assistant/ledger.ts';
import { toMetadata } from '../../src/slack/find-message.ts';
import type { Ending } from './ending.ts';

/** One message that a person said to the app, and what the outside saw of its way. Times are epoch ms. */
export type Said = {
  readonly number: number;
  /** The user id of who asks. */
  readonly author: string;
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string;
  readonly saidAt: number;
  /** Slack got its 200, from this replica: from here on the app may not lose it. */
  acknowledgedAt?: number;
  acknowledgedBy?: string;
  /** Its author has begun to delete it: from then on nobody misses an answer. */
  isDeleted?: boolean;
  /** When Slack had the acknowledgement of its first change. */
  changedAt?: number;
  change?: 'edited' | 'deleted';
  /** The chat requests with this number. */
  readonly chats: ChatRecord[];
  /** When its terminal reply was first in Slack, and how that ended it. */
  repliedAt?: number;
  ending?: Ending;
};

/** What this suite saw from outside: all that is counted later is counted from here and from Slack itself. */
export type Journal = {
  /** Epoch ms: what came before is none of this. */
  readonly startedAt: number;
  readonly all: readonly Said[];
  /** For the next question: nobody gets the same one again. */
  nextNumber(): number;
  get(number: number): Said | undefined;
  /** By the opaque id of its turn, as the metadata of the app's messages has it. */
  ofTurn(turn: unknown): Said | undefined;
  said(message: Pick<Said, 'number' | 'author' | 'channel' | 'ts' | 'threadTs'>): Said;
  acknowledged(number: number, by: string): void;
  deleting(number: number): void;
  changed(number: number, change: 'edited' | 'deleted'): void;
  asked(number: number, chat: ChatRecord): void;
  replied(said: Said, ending: Ending): void;
  /** Resolves at the first acknowledgement of this message. */
  untilAcknowledged(number: number): Promise<void>;
  /** Acknowledged messages that have no terminal reply yet. */
  open(): Said[];
};

export function createJournal(team: string): Journal {
  const all: Said[] = [];
  const byNumber = new Map<number, Said>();
  const byTurn = new Map<unknown, Said>();
  const waiting = new Map<number, () => void>();
  const open = new Set<Said>();

  let lastNumber = 0;

  return {
    startedAt: Date.now(),
    all,
    nextNumber: () => ++lastNumber,
    get: (number) => byNumber.get(number),
    ofTurn: (turn) => byTurn.get(turn),
    said(message) {
      const said: Said = { ...message, saidAt: Date.now(), chats: [] };
      all.push(said);
      byNumber.set(said.number, said);
      byTurn.set(toOpaqueTurn(team, said), said);
      return said;
    },
    acknowledged(number, by) {
      const said = byNumber.get(number);
      if (!said || said.acknowledgedAt !== undefined) return;
      said.acknowledgedAt = Date.now();
      said.acknowledgedBy = by;
      if (said.repliedAt === undefined) open.add(said);
      waiting.get(number)?.();
      waiting.delete(number);
    },
    deleting(number) {
      const said = byNumber.get(number);
      if (!said) return;
      said.isDeleted = true;
      open.delete(said);
    },
    changed(number, change) {
      const said = byNumber.get(number);
      if (said) Object.assign(said, { change, changedAt: Date.now() });
    },
    asked: (number, chat) => void byNumber.get(number)?.chats.push(chat),
    replied(said, ending) {
      said.repliedAt ??= Date.now();
      said.ending ??= ending;
      open.delete(said);
    },
    untilAcknowledged(number) {
      if (byNumber.get(number)?.acknowledgedAt !== undefined) return Promise.resolve();
      return new Promise((resolve) => waiting.set(number, resolve));
    },
    open: () => [...open],
  };
}

function toOpaqueTurn(team: string, { channel, ts }: Said): unknown {
  const turnId = `message:${team}:${channel}:${ts}`;
  return toMetadata({ workspace: team, turnId, part: 0 }).event_payload.turn;
}
