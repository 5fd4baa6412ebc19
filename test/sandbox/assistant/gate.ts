// What tests hook into the way of a chat: stop it, watch it, act at exact moments (a SIGKILL, for one).
import type { Conversation } from './conversation-store.ts';
import type { ChatRecord } from './ledger.ts';

type ChatHook = (chat: ChatRecord) => Promise<void> | void;
type CreatedHook = (conversation: Conversation) => Promise<void> | void;

export type ChatGate = {
  /** Awaited for every well-formed chat before it is answered. Returns a function that removes the hook. */
  onChat(hook: ChatHook): () => void;
  /** Awaited after the assistant has processed the question, before the answer is sent. */
  onAnswered(hook: ChatHook): () => void;
  /** Awaited after a conversation was created, before its id is sent. */
  onCreated(hook: CreatedHook): () => void;
  /** Holds back every chat (before it is processed) until `release`. */
  hold(): void;
  release(): void;
  /** How many chats are held back. */
  readonly held: number;
};

export type PassableGate = ChatGate & {
  enter(chat: ChatRecord): Promise<void>;
  leave(chat: ChatRecord): Promise<void>;
  created(conversation: Conversation): Promise<void>;
};

export function createChatGate(): PassableGate {
  const before = new Set<ChatHook>();
  const after = new Set<ChatHook>();
  const created = new Set<CreatedHook>();
  let barrier: { promise: Promise<void>; open: () => void } | undefined;
  let held = 0;
  return {
    onChat: (hook) => add(before, hook),
    onAnswered: (hook) => add(after, hook),
    onCreated: (hook) => add(created, hook),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      barrier ??= { promise, open: resolve };
    },
    release() {
      barrier?.open();
      barrier = undefined;
    },
    get held() {
      return held;
    },
    async enter(chat) {
      for (const hook of before) await hook(chat);
      held += 1;
      await barrier?.promise;
      held -= 1;
    },
    async leave(chat) {
      for (const hook of after) await hook(chat);
    },
    async created(conversation) {
      for (const hook of created) await hook(conversation);
    },
  };
}

function add<Hook>(hooks: Set<Hook>, hook: Hook): () => void {
  hooks.add(hook);
  return () => {
    hooks.delete(hook);
  };
}
