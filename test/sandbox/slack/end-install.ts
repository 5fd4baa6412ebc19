/** The end of an installation: https://docs.slack.dev/reference/events/app_uninstalled */
import type { DeliveryResult } from './delivery.ts';
import type { Install } from './installs.ts';
import type { World } from './world.ts';

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
