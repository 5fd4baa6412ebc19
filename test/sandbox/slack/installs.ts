/** Where the app is installed, and with which bot token. */
import { randomBytes } from 'node:crypto';

export type Install = {
  readonly token: string;
  /** Of the team; or of the enterprise, where it is installed for the whole organisation. */
  readonly id: string;
  readonly isEnterprise: boolean;
  /** What every call with its token is answered, once it is over. */
  ended?: 'account_inactive' | 'token_revoked';
};

export type Installs = {
  /** The installation there, with the token it has; a new one after it ended. */
  add(place: { id: string; isEnterprise: boolean }, token?: string): Install;
  /** Also one that has ended. */
  byToken(token: string): Install | undefined;
  /** The one that works. */
  of(id: string): Install | undefined;
};

export function createInstalls(): Installs {
  const installs: Install[] = [];
  const of = (id: string) => installs.find((install) => install.id === id && !install.ended);
  return {
    of,
    byToken: (token) => installs.find((install) => install.token === token),
    add({ id, isEnterprise }, token) {
      const known = of(id);
      if (known) return known;
      const install = { id, isEnterprise, token: token ?? `xoxb-${id}-${randomBytes(12).toString('hex')}` };
      installs.push(install);
      return install;
    },
  };
}
