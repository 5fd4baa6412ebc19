import type { z } from 'zod';
import { createRequestLedger, type LedgerEntry } from '../loopback/ledger.ts';
import type { CHAT_BODY } from './chat-body.ts';

/** One well-formed chat request; `isWebEnabled` is as sent, undefined where the field was left out. */
export type ChatRecord = z.infer<typeof CHAT_BODY> & {
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

type Asked = Omit<ChatRecord, 'isProcessed' | 'status' | 'at' | 'closedAt' | 'isCut'>;

export type AssistantLedger = Omit<ReturnType<typeof createAssistantLedger>, 'record' | 'addChat'>;

export function createAssistantLedger() {
  const requests = createRequestLedger();
  const chats: ChatRecord[] = [];
  return {
    ...requests,
    clear(): void {
      requests.clear();
      chats.length = 0;
    },
    chats: (): readonly ChatRecord[] => [...chats],
    /** Conversations created so far. */
    get created(): number {
      return requests.count((entry) => entry.status === 201);
    },
    addChat(chat: Asked, entry: LedgerEntry): ChatRecord {
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
