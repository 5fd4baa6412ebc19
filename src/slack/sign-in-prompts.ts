import { type Person, toPersonKey } from '../conversation/person.ts';
import type { TurnStore } from '../conversation/stores.ts';
import type { Stage, Turn } from '../conversation/turn.ts';
import type { ClaimStore } from '../identity/once-store.ts';

/** Who of several questions of one person prompts them to sign in, on whichever replica each of them runs. */
export type SignInPrompts = {
  /** Whether this question is to prompt. It stays the one: a run that begins anew may follow one that died before. */
  claim(turn: Turn): Promise<boolean>;
  /** The next question prompts: this prompt did not get through, or the person has signed in or out since. */
  release(asker: Person): Promise<void>;
};

export type SignInPromptsPorts = {
  once: Pick<ClaimStore, 'claim' | 'take'>;
  turns: Pick<TurnStore, 'get'>;
  now(): number;
};

/** Questions in several threads at once need one prompt; a minute later the person may have lost it. */
const CLAIM_MS = 60_000;

/** A question in one of these is about to prompt, or waits for the sign-in that it asked for. */
const WAITING: readonly Stage[] = ['accepted', 'waiting', 'parked'];

export function createSignInPrompts({ once, turns, now }: SignInPromptsPorts): SignInPrompts {
  const claim = (asker: Person, id: string) => once.claim(toKey(asker), id, now() + CLAIM_MS);
  return {
    async claim({ id, question: { asker } }) {
      const holder = await claim(asker, id);
      if (holder === id) return true;
      const stage = (await turns.get(holder))?.stage;
      if (stage && WAITING.includes(stage)) return false;
      // The one that prompted was deleted or has ended, and its prompt is not about this one.
      await once.take(toKey(asker));
      return (await claim(asker, id)) === id;
    },
    async release(asker) {
      await once.take(toKey(asker));
    },
  };
}

function toKey(asker: Person): string {
  return `sign-in-prompt:${toPersonKey(asker)}`;
}
