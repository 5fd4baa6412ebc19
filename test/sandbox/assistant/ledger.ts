import { createRequestLedger, type LedgerEntry, type RequestLedger } from '../loopback/ledger.ts';
import type { ChatBody } from './chat-body.ts';

/** One well-formed chat request; `isWebEnabled` is as sent, undefined where the field was left out. */
export type ChatRecord = ChatBody & {
  readonly subject: string;
  readonly name: string;
  readonly conversation: string;
  readonly isStreamed: boolean;
  readonly at: number;
  /** True once the assistant has processed the question and counted the turn. */
  isProcessed: boolean;
  /** Undefined while open, and for good where the connection was cut. */
  readonly status: number | undefined;
  /** Epoch ms of the end of the exchange, however it came. */
  readonly closedAt: number | undefined;
  /** The connection ended before the whole answer was sent. */
  readonly isCut: boolean;
};

export type AssistantLedger = RequestLedger & {
  chats(): readonly ChatRecord[];
  /** Conversations created so far. */
  readonly created: number;
};

export type RecordingAssistantLedger = AssistantLedger &
  Pick<ReturnType<typeof createRequestLedger>, 'record'> & {
    addChat(
      chat: Omit<ChatRecord, 'isProcessed' | 'status' | 'at' | 'closedAt' | 'isCut'>,
      entry: LedgerEntry,
    ): ChatRecord;
  };

export function createAssistantLedger(): RecordingAssistantLedger {
  const requests = createRequestLedger();
  const chats: ChatRecord[] = [];
  return {
    requests: requests.requests,
    count: requests.count,
    record: requests.record,
    clear() {
      requests.clear();
      chats.length = 0;
    },
    chats: () => [...chats],
    get created() {
      return requests.count((entry) => entry.status === 201);
    },
    addChat(chat, entry) {
      const record: ChatRecord = {
        ...chat,
        at: entry.at,
        isProcessed: false,
        get status() {
          return entry.status;
        },
        get closedAt() {
          return entry.closedAt;
        },
        get isCut() {
          return entry.cut === true;
        },
      };
      chats.push(record);
      return record;
    },
  };
}
