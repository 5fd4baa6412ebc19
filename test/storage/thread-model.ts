// What is stored about threads, as it should be, in a few lines: see turn-model.ts.
import type { Person } from '../../src/conversation/question.ts';
import type { ThreadStore } from '../../src/conversation/stores.ts';
import type { ThreadChange, ThreadConversation } from '../../src/conversation/turn.ts';
import type { PersonalThreads } from '../../src/identity/personal-data.ts';
import type { Sync } from './lease-model.ts';

/** A conversation, as JSON; or without one, that its owner has spoken in the thread. */
export type KeptOfThread = { thread: string; owner: string; workspace: string; conversation?: string };

export type ThreadModel = Sync<Omit<ThreadStore, 'forget'>> & {
  /** Returns what takes it back. */
  change(change: ThreadChange): () => void;
  of(person: Person): PersonalThreads;
  /** Returns how many records were removed. */
  remove(isMeant: (kept: KeptOfThread) => boolean): number;
};

export function createThreadModel(): ThreadModel {
  const stored = new Map<string, KeptOfThread>();

  function set(key: string, value: KeptOfThread | undefined): () => void {
    const before = stored.get(key);
    if (value === undefined) stored.delete(key);
    else stored.set(key, value);
    return () => void set(key, before);
  }

  return {
    change(change) {
      const { thread } = change;
      if (change.kind === 'engage') {
        const { user: owner, workspace } = change;
        return set(`${thread} ${owner} engaged`, { thread, owner, workspace });
      }
      const { heldBy, owner } = change.conversation;
      const key = `${thread} ${heldBy === 'person' ? owner : ''}`;
      return set(key, toChanged(stored.get(key), change));
    },
    isEngaged: (thread, user) => stored.has(`${thread} ${user} engaged`),
    conversation(thread, user) {
      const found = stored.get(`${thread} ${user}`) ?? stored.get(`${thread} `);
      return found?.conversation === undefined ? undefined : JSON.parse(found.conversation);
    },
    of(person) {
      const theirs = [...stored.values()].filter((kept) => isOf(person, kept));
      return {
        spokenIn: theirs.filter(({ conversation }) => conversation === undefined).map(({ thread }) => thread),
        conversations: theirs.flatMap(({ thread, conversation }) =>
          conversation === undefined ? [] : [{ thread, conversation: JSON.parse(conversation) }],
        ),
      };
    },
    remove(isMeant) {
      const meant = [...stored].filter(([, kept]) => isMeant(kept));
      for (const [key] of meant) stored.delete(key);
      return meant.length;
    },
  };
}

/** A thread key begins with the team. */
export function isOf({ team, user }: Person, { thread, owner }: KeptOfThread): boolean {
  return owner === user && thread.startsWith(`${team}:`);
}

/** What is stored from then on. Undefined: nothing. */
function toChanged(
  stored: KeptOfThread | undefined,
  change: Exclude<ThreadChange, { kind: 'engage' }>,
): KeptOfThread | undefined {
  const { thread, conversation } = change;
  const known: ThreadConversation | undefined = stored?.conversation && JSON.parse(stored.conversation);
  const isSame = known?.id === conversation.id;
  const toKept = (text: string): KeptOfThread => {
    const { owner, workspace } = conversation;
    return { thread, owner, workspace, conversation: text };
  };
  if (change.kind === 'keep') {
    const isKept = known === undefined || isSame || known.id === change.former;
    return isKept ? toKept(JSON.stringify(conversation)) : stored;
  }
  if (known === undefined || !isSame) return stored;
  if (change.kind === 'drop') return undefined;
  return toKept(JSON.stringify({ ...conversation, secrecy: Math.max(known.secrecy, conversation.secrecy) }));
}
