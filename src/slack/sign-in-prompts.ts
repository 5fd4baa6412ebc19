import { type Person, toPersonKey } from '../conversation/person.ts';
import type { Turn } from '../conversation/turn.ts';
import type { ClaimStore } from '../identity/once-store.ts';

/** Who of several questions of one person prompts them to sign in, on whichever replica each of them runs. */
export type SignInPrompts = {
  /** Whether this question is to prompt. It stays the one: a run that begins anew may follow one that died before. */
  claim(turn: Turn): Promise<boolean>;
  /** Its prompt did not get through: the next question may try. */
  release(turn: Turn): Promise<void>;
};

/** Questions in several threads at once need one prompt; a minute later the person may have lost it. */
const CLAIM_MS = 60_000;

export function createSignInPrompts(once: Pick<ClaimStore, 'claim' | 'take'>, now: () => number): SignInPrompts {
  return {
    claim: async ({ id, question }) => (await once.claim(toKey(question.asker), id, now() + CLAIM_MS)) === id,
    async release({ question }) {
      await once.take(toKey(question.asker));
    },
  };
}

function toKey(asker: Person): string {
  return `sign-in-prompt:${toPersonKey(asker)}`;
}
