// Stores the policy as one document, in one commit with whatever belongs to the change.
import { type Kernel, read, type Write } from '../storage/kernel.ts';
import { EMPTY_POLICY, type Policy } from './policy.ts';

const POLICY = 'policy';

/** A second document with only the entries about channels, because every question needs those and nothing else. */
const CHANNELS = 'policy-channels';

/** `version`: of the stored document; 0 if there is none. */
type StoredPolicy = { policy: Policy; version: number };

export type PolicyStore = {
  /** Throws StoreUnavailableError, as `replace` does. */
  read(): Promise<StoredPolicy>;
  /** Only the entries about channels. */
  readChannels(): Promise<Policy>;
  /**
   * Stores the next policy over the one that was read, together with `writes`: all or none. False: somebody else was
   * faster, or one of the writes no longer fits, and nothing was written.
   */
  replace(before: StoredPolicy, next: Policy, writes?: readonly Write[]): Promise<boolean>;
};

/** One policy for the whole deployment: there is one administrative interface. */
export function createPolicyStore(kernel: Kernel): PolicyStore {
  return {
    async read() {
      const found = await read<Policy>(kernel, POLICY);
      return { policy: found?.body ?? EMPTY_POLICY, version: found?.version ?? 0 };
    },
    readChannels: async () => (await read<Policy>(kernel, CHANNELS))?.body ?? EMPTY_POLICY,
    replace: ({ version }, next, writes = []) =>
      kernel.commit([
        { put: POLICY, body: next, ifVersion: version },
        { put: CHANNELS, body: toChannels(next) },
        ...writes,
      ]),
  };
}

function toChannels({ revision, entries }: Policy): Policy {
  const own = Object.entries(entries).filter(([, { target }]) => 'channel' in target);
  return { revision, entries: Object.fromEntries(own) };
}
