import { type Person, toPersonKey } from '../conversation/question.ts';
import type { Stage, Turn } from '../conversation/turn.ts';
import type { Uses } from './services.ts';

/** Questions asked together share one prompt. After a minute the person may not find that prompt any more. */
const CLAIM_MS = 60_000;

/** In these stages a question is about to prompt, or waits for the sign-in. */
const WAITING: readonly Stage[] = ['accepted', 'waiting', 'parked'];

export type SignInPrompts = ReturnType<typeof createSignInPrompts>;

/** Decides which of several questions of one person prompts them to sign in, over all replicas. */
export function createSignInPrompts({ once, turns, now }: Uses<'once' | 'turns' | 'now'>) {
  return {
    /** Whether this question prompts. Stays true for it, because a run may be repeated after a crash. */
    async claim({ id, question: { asker } }: Turn): Promise<boolean> {
      const first = toKey(asker);
      for (let key = first; ; ) {
        const holder = await once.claim(key, id, now() + CLAIM_MS);
        // Its minute begins now, whenever that of the question before it began.
        if (holder === id && key !== first) await once.put(first, id, now() + CLAIM_MS);
        if (holder === id) return true;
        const stage = (await turns.get(holder))?.stage;
        if (stage && WAITING.includes(stage)) return false;
        // The question that prompted was deleted or has ended: one of all that find this out takes its place.
        key = `${first}:${holder}`;
      }
    },
    /** Lets the next question prompt again: this prompt failed, or the person has signed in or out since. */
    async release(asker: Person): Promise<void> {
      await once.take(toKey(asker));
    },
  };
}

function toKey(asker: Person): string {
  return `sign-in-prompt:${toPersonKey(asker)}`;
}
