import type { ExpiringStore } from './account-link.ts';
import { LinkRefusedError } from './identity-errors.ts';
import { hashSecret, isSecretShaped } from './secret.ts';

/** What the browser presents: the secret of a value, and the cookie that it was bound to. */
export type Presented = { secret: string | null; cookie: string | undefined };

/** Values that only one browser can read and use: found by a secret, and bound to the browser's cookie. */
export type BrowserBound<T> = {
  put(value: T, presented: { secret: string; cookie: string }): Promise<void>;
  /** Throws LinkRefusedError: `step_unknown`, or `other_browser`, which keeps the value for the right browser. */
  peek(presented: Presented): Promise<T>;
  /** The same, and uses up the value: of concurrent calls one gets it. */
  take(presented: Presented): Promise<T>;
};

type Bound<T> = { pending: T; cookieHash: string };

/** Both the secret and the cookie are stored as hashes. `name`: of the keys in the store. */
export function createBrowserBound<T>(
  name: string,
  { once, now, lifeMs }: { once: ExpiringStore; now: () => number; lifeMs: number },
): BrowserBound<T> {
  const toKey = (secret: string) => `${name}:${hashSecret(secret)}`;

  async function peek({ secret, cookie }: Presented): Promise<T> {
    const text = isSecretShaped(secret) ? await once.peek(toKey(secret)) : undefined;
    if (text === undefined) throw new LinkRefusedError('step_unknown');
    const { pending, cookieHash }: Bound<T> = JSON.parse(text);
    if (cookie === undefined || hashSecret(cookie) !== cookieHash) throw new LinkRefusedError('other_browser');
    return pending;
  }

  return {
    async put(pending, { secret, cookie }) {
      const bound: Bound<T> = { pending, cookieHash: hashSecret(cookie) };
      await once.put(toKey(secret), JSON.stringify(bound), now() + lifeMs);
    },
    peek,
    async take(presented) {
      const pending = await peek(presented);
      const isFirst = (await once.take(toKey(presented.secret ?? ''))) !== undefined;
      if (!isFirst) throw new LinkRefusedError('step_unknown');
      return pending;
    },
  };
}
