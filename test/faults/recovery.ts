import { CHANNEL } from './cluster.ts';
import type { Journal, Said } from './journal.ts';

/** How long the turns that a death left open took from there to their terminal reply, in ms. */
export type Recovery = {
  /** Notes what is open at a death that is just about to happen. */
  death(): void;
  /**
   * Of the turns that have ended since: in channels, whose answers are short, and in direct messages, where an answer takes
   * long enough for its next process to be killed as well.
   */
  times(): { inChannels: number[]; direct: number[] };
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
    times() {
      const inChannels: number[] = [];
      const direct: number[] = [];
      for (const [{ channel, repliedAt }, { at, askedInThread }] of candidates) {
        if (repliedAt === undefined || askedInThread.some(wasAnswered)) continue;
        (channel === CHANNEL ? inChannels : direct).push(repliedAt - at);
      }
      return { inChannels, direct };
    },
  };
}

function wasAnswered({ chats }: Said): boolean {
  return chats.some(({ isCut, closedAt }) => closedAt !== undefined && !isCut);
}
