/** Where the app is installed, and with which bot token. */
import { randomBytes } from 'node:crypto';

export type Install = {
  token: string;
  /** Where its token rotates. `expiresAt`: epoch ms. */
  rotation?: { refreshToken: string; expiresAt: number };
  /** Of the team; or of the enterprise, where it is installed for the whole organisation. */
  readonly id: string;
  readonly isEnterprise: boolean;
  /** What every call with its token is answered, once it is over. */
  ended?: 'account_inactive' | 'token_revoked';
};

export type Installs = ReturnType<typeof createInstalls>;

export function createInstalls() {
  const installs: Install[] = [];
  const exchanged = new Set<string>();
  const of = (id: string) => installs.find((install) => install.id === id && !install.ended);
  return {
    /** The one that works. */
    of,
    /** Whether it was the token of an installation, and was exchanged since. */
    isExchanged: (token: string) => exchanged.has(token),
    byRefreshToken: (refreshToken: string) =>
      installs.find((install) => install.rotation?.refreshToken === refreshToken && !install.ended),
    /** Gives it a token that rotates, in place of the one it has, which is revoked, together with its refresh token. */
    rotate(install: Install, expiresAt: number): void {
      exchanged.add(install.token);
      install.token = `xoxe.xoxb-1-${install.id}-${randomBytes(12).toString('hex')}`;
      install.rotation = { refreshToken: `xoxe-1-${randomBytes(24).toString('hex')}`, expiresAt };
    },
    /** Also one that has ended. */
    byToken: (token: string) => installs.find((install) => install.token === token),
    /** The installation there, with the token it has; a new one after it ended. */
    add({ id, isEnterprise }: { id: string; isEnterprise: boolean }, token?: string): Install {
      const known = of(id);
      if (known) return known;
      const install = { id, isEnterprise, token: token ?? `xoxb-${id}-${randomBytes(12).toString('hex')}` };
      installs.push(install);
      return install;
    },
  };
}
