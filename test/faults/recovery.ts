import type { Journal, Said } from './journal.ts';

/** How long the turns that a death left open took from there to their terminal reply, in ms. */
export type Recovery = {
  /** Notes what is open at a death that is just about to happen. */
  death(): void;
  /** Of the turns that have ended since. */
  times(): number[];
};

/**
 * Which replica works on a turn cannot be seen from outside; but what was being asked at the death and came to its end
 * was asked by a living one, and what waited in the same thread waited for that. The rest was left open by the death. A
 * turn that was left open more than once counts from the first death.
 */
export function watchRecovery(journal: Journal): Recovery {
  const candidates = new Map<Said, { at: number; askedInThread: Said[] }>();

  return {
    death() {
      const open = journal.open();
      const asked = Map.groupBy(
        open.filter(({ chats }) => chats.some(({ closedAt }) => closedAt === undefined)),
        ({ threadTs }) => threadTs,
      );
      for (const said of open) {
        if (candidates.has(said)) continue;
        candidates.set(said, { at: Date.now(), askedInThread: asked.get(said.threadTs) ?? [] });
      }
    },
    times: () =>
      [...candidates]
        .filter(([, { askedInThread }]) => !askedInThread.some(wasAnswered))
        .flatMap(([said, { at }]) => (said.repliedAt === undefined ? [] : [said.repliedAt - at])),
  };
}

function wasAnswered({ chats }: Said): boolean {
  return chats.some(({ isCut, closedAt }) => closedAt !== undefined && !isCut);
}
