/** Trigger ids: usable once, within 3 s. https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
import type { Identifiers } from './identifiers.ts';

export type Triggers = ReturnType<typeof createTriggers>;

const LIFE_MS = 3_000;
const KEPT = 10_000;

export function createTriggers(identifiers: Identifiers) {
  const triggers = new Map<string, { userId: string; at: number; used: boolean }>();
  return {
    create(userId: string): string {
      const id = identifiers.triggerId();
      triggers.set(id, { userId, at: Date.now(), used: false });
      const oldest = triggers.size > KEPT ? triggers.keys().next().value : undefined;
      if (oldest !== undefined) triggers.delete(oldest);
      return id;
    },
    has: (id: string) => triggers.has(id),
    /** Uses the trigger up; answers who caused it, or why it cannot be used. */
    exchange(id: string): { userId: string } | { error: string } {
      const trigger = triggers.get(id);
      if (!trigger) return { error: 'invalid_trigger_id' };
      if (trigger.used) return { error: 'exchanged_trigger_id' };
      if (Date.now() - trigger.at > LIFE_MS) return { error: 'expired_trigger_id' };
      trigger.used = true;
      return { userId: trigger.userId };
    },
  };
}
