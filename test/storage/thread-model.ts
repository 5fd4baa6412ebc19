// What is stored about threads, as it should be, in a few lines: see turn-model.ts.
import type { ThreadStore } from '../../src/conversation/stores.ts';
import type { ThreadChange, ThreadConversation } from '../../src/conversation/turn.ts';
import type { Sync } from './lease-model.ts';

export type ThreadModel = Sync<Omit<ThreadStore, 'forget'>> & {
  /** Returns what takes it back. */
  change(change: ThreadChange): () => void;
};

export function createThreadModel(): ThreadModel {
  const stored = new Map<string, string>();

  function set(key: string, value: string | undefined): () => void {
    const before = stored.get(key);
    if (value === undefined) stored.delete(key);
    else stored.set(key, value);
    return () => void set(key, before);
  }

  return {
    change(change) {
      if (change.kind === 'engage') return set(`${change.thread} ${change.user} engaged`, 'yes');
      const { heldBy, owner } = change.conversation;
      const key = `${change.thread} ${heldBy === 'person' ? owner : ''}`;
      return set(key, toChanged(stored.get(key), change));
    },
    isEngaged: (thread, user) => stored.has(`${thread} ${user} engaged`),
    conversation(thread, user) {
      const found = stored.get(`${thread} ${user}`) ?? stored.get(`${thread} `);
      return found === undefined ? undefined : JSON.parse(found);
    },
  };
}

/** What is stored from then on. Undefined: nothing. */
function toChanged(stored: string | undefined, change: Exclude<ThreadChange, { kind: 'engage' }>): string | undefined {
  const { conversation } = change;
  const known = stored === undefined ? undefined : (JSON.parse(stored) as ThreadConversation);
  const isSame = known?.id === conversation.id;
  if (change.kind === 'keep') {
    return known === undefined || isSame || known.id === change.former ? JSON.stringify(conversation) : stored;
  }
  if (known === undefined || !isSame) return stored;
  if (change.kind === 'drop') return undefined;
  return JSON.stringify({ ...conversation, secrecy: Math.max(known.secrecy, conversation.secrecy) });
}
