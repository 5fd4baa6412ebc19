import { SECRECY } from '../../src/conversation/secrecy.ts';
import type { TurnStore } from '../../src/conversation/stores.ts';
import type { ThreadChange, ThreadConversation } from '../../src/conversation/turn.ts';
import { aTurn } from '../conversation/a-question.ts';

/** Writes changes of threads with a turn that stands for any. */
export async function changeThreads(turns: TurnStore, ...changes: ThreadChange[]): Promise<void> {
  const id = crypto.randomUUID();
  await turns.accept(aTurn({ id, lane: id }), changes);
}

export function engage(thread: string, user: string, workspace: string): ThreadChange {
  return { kind: 'engage', thread, user, workspace };
}

export function keep(thread: string, conversation: ThreadConversation, former?: string): ThreadChange {
  return { kind: 'keep', thread, conversation, former };
}

export function aConversation(change: Partial<ThreadConversation> = {}): ThreadConversation {
  return {
    schema: 1,
    id: 'c',
    workspace: 'T1',
    owner: 'UANA',
    heldBy: 'thread',
    secrecy: SECRECY.none,
    turnCount: 0,
    ...change,
  };
}
