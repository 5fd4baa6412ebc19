/** Where the app is installed, with which bot token, and how that ends. */
import { randomBytes } from 'node:crypto';
import type { DeliveryResult } from './delivery.ts';
import type { World } from './world.ts';

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

/** https://docs.slack.dev/reference/events/app_uninstalled */
type EndEvent = 'app_uninstalled' | 'tokens_revoked';

export type EndOptions = {
  /** Which events the app gets, and in which order they are sent: Slack promises none. Both, unless told otherwise. */
  events?: readonly EndEvent[];
  /** Epoch seconds; now unless told otherwise. */
  eventTime?: number;
};

/** Ends an installation of this world's team, or of its enterprise; resolves when the app got to know. */
export async function endInstall(
  world: World,
  install: Install,
  how: NonNullable<Install['ended']>,
  options: EndOptions = {},
): Promise<DeliveryResult[]> {
  install.ended = how;
  const usual: readonly EndEvent[] =
    how === 'token_revoked' ? ['tokens_revoked'] : ['tokens_revoked', 'app_uninstalled'];
  return tellEnd(world, install, { ...options, events: options.events ?? usual });
}

/** Sends the events alone, for example once more, or late. */
export async function tellEnd(
  world: World,
  { isEnterprise }: Pick<Install, 'isEnterprise'>,
  { events = [], eventTime }: EndOptions,
): Promise<DeliveryResult[]> {
  const bot = world.workspace.app.botUserId;
  const sent = events.map((type) =>
    world.events.ended(type === 'tokens_revoked' ? { type, tokens: { oauth: [], bot: [bot] } } : { type }, {
      isEnterprise,
      ...(eventTime !== undefined && { eventTime }),
    }),
  );
  return (await Promise.all(sent)).flat();
}
