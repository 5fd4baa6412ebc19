import { ASSISTANT_SCOPE } from '@assistant-bridge/sandbox/loopback/scopes.ts';
import { createPlainVerifier } from '@assistant-bridge/sandbox/loopback/token-holder.ts';
import { startWorld, type World } from '../../test/app/world.ts';
import { addSignedInPeople, toUserId } from '../../test/faults/signed-in-people.ts';
import { answerTo } from './answers.ts';

/** The one token of the bots that the app is compared with. */
export const PLAIN_TOKEN = 'sandbox-ana';

const NAMES = Array.from({ length: 32 }, (_, index) => `asker${index}`);

/** The people who ask. */
export const ASKERS = NAMES.map(toUserId);

/** The channel where all of them are. */
export const CHANNEL = 'C0GENERAL';

/** Two channels that differ only in their size: some of the askers are in both. */
export const SMALL_CHANNEL = 'C0SMALL';
export const LARGE_CHANNEL = 'C0LARGE';
export const SMALL_SIZE = 30;

/** The members of the small channel, besides the app. */
export const MEMBERS = ASKERS.slice(0, SMALL_SIZE - 1);

/**
 * The local world in its cheapest form: it keeps no ledger, and sends no echo of own messages. `size`: of the large
 * channel. An event that did not arrive is sent again, as Slack does: between two rounds a server closes idle connections
 * (plain Bolt after five seconds), and an event that uses one at that moment would be lost.
 */
export async function startBenchWorld(size: number): Promise<World> {
  const world = await startWorld({
    slack: { ledger: 'off', retry: 'documented', echoOwnMessages: false },
    assistant: {
      stepMs: 0,
      answer: ({ text }) => answerTo(toNumber(text)),
      verifyToken: createPlainVerifier(ASSISTANT_SCOPE),
    },
  });
  const { workspace } = world.slack;
  // Before the app is started, because it gets an event for each person who joins later.
  const others = Array.from({ length: size - SMALL_SIZE }, (_, index) => `U0MEMBER${index}`);
  for (const id of others) workspace.addUser({ id, name: id.toLowerCase() });
  const few = [workspace.app.botUserId, ...MEMBERS];
  workspace.addChannel({ id: SMALL_CHANNEL, name: 'small', members: few });
  workspace.addChannel({ id: LARGE_CHANNEL, name: 'large', members: [...few, ...others] });
  return world;
}

/** Adds sign-ins of the askers to the store of an app that is not started yet. */
export async function signInAskers({ slack, environment }: World, store: { path?: string; redisUrl?: string }) {
  const SQLITE_PATH = store.path ?? '';
  await addSignedInPeople({ slack, environment: { ...environment, SQLITE_PATH } }, NAMES, store.redisUrl);
  for (const asker of ASKERS) slack.workspace.join(CHANNEL, asker);
}

export function toQuestion(number: number): string {
  return `what is new about project ${number}?`;
}

function toNumber(question: string): number {
  return Number(/project (\d+)/.exec(question)?.[1]);
}
