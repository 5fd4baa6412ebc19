import { findFreePort } from '../../test/sandbox/free-port.ts';
import type { World } from '../../test/sandbox/world.ts';
import { PLAIN_TOKEN } from './bench-world.ts';
import { type Contender, startContender } from './contender.ts';

type Place = { isPinned: boolean; profileFolder: string | undefined };

/** The real app. A second one has to wait for the end of the first; it takes over the database, and the sign-in. */
export function startBridge(world: World, streaming: 'auto' | 'off', place: Place): Promise<Contender> {
  return startContender({
    name: 'bridge',
    eventsUrl: `${world.publicUrl}/slack/events`,
    script: new URL('../../src/main.ts', import.meta.url),
    environment: { ...world.environment, ASSISTANT_STREAMING: streaming },
    ...place,
  });
}

export async function startPlainBot({ environment }: World, place: Place): Promise<Contender> {
  const port = await findFreePort();
  return startContender({
    name: 'plain Bolt bot',
    eventsUrl: `http://127.0.0.1:${port}/slack/events`,
    script: new URL('./plain-bot.ts', import.meta.url),
    environment: { ...environment, PORT: String(port), ASSISTANT_TOKEN: PLAIN_TOKEN },
    ...place,
  });
}
