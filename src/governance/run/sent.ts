// What was last sent from here for each agent and currency: all that is known where the service does not show it.
import { type Kernel, PAGE, read, type Write } from '../../storage/kernel.ts';
import type { ThresholdItem } from '../plan/plan.ts';
import type { ReadSent, Sent } from '../plan/seen.ts';
import { toTargetKey } from '../policy/target.ts';

/** Throws StoreUnavailableError. */
export type SentStore = {
  /** `key`: see toSentKey. */
  get(key: string): Promise<Sent | undefined>;
  readFor(keys: readonly string[]): Promise<ReadSent>;
  /** For the commit that begins a stop, or that records how an item ended. */
  toWrite(key: string, sent: Sent): Write;
};

export function toSentKey({ agent, currency }: Pick<ThresholdItem, 'agent' | 'currency'>): string {
  return toTargetKey({ environmentId: agent.environmentId, agentId: agent.agentId, currency });
}

export function createSentStore(kernel: Kernel): SentStore {
  return {
    get: async (key) => (await read<Sent>(kernel, toKey(key)))?.body,
    async readFor(keys) {
      const found = new Map<string, Sent>();
      for (let from = 0; from < keys.length; from += PAGE) {
        const page = keys.slice(from, from + PAGE);
        const documents = await kernel.get(page.map(toKey));
        for (const [at, key] of page.entries()) {
          const document = documents[at];
          if (document) found.set(key, document.body as Sent);
        }
      }
      return (key) => found.get(key);
    },
    toWrite: (key, sent) => ({ put: toKey(key), body: sent }),
  };
}

function toKey(key: string): string {
  return `sent:${key}`;
}
