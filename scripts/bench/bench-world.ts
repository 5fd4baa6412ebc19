import { addSignedInPeople, toUserId } from '../../test/faults/signed-in-people.ts';
import { ASSISTANT_SCOPE } from '../../test/sandbox/loopback/scopes.ts';
import type { TokenHolder } from '../../test/sandbox/loopback/token-holder.ts';
import { findPrompt, signIn } from '../../test/sandbox/sign-in.ts';
import { startWorld, type World } from '../../test/sandbox/world.ts';
import { answerInTurn } from './answers.ts';
import type { Contender } from './contender.ts';

export const CHANNEL = 'C0GENERAL';
export const ASKER = 'U0ANA';

/** So many that nobody has more than the eight turns under way that one person may have. */
const NAMES = Array.from({ length: 32 }, (_, index) => `asker${index}`);
const ASKERS = NAMES.map(toUserId);

/** Who asks the question of this number. */
export function askerOf(number: number): string {
  return ASKERS[number % ASKERS.length] ?? ASKER;
}

/** The one token of the bots that the app is compared with. */
export const PLAIN_TOKEN = 'sandbox-ana';

const PLAIN = new Map<string, TokenHolder>(
  ['ana', ...NAMES].map((name) => [`sandbox-${name}`, { subject: name, name, scope: ASSISTANT_SCOPE }]),
);

/** The local world in its cheapest form: it keeps no ledger, repeats no event, and sends no echo of own messages. */
export function startBenchWorld(latencyMs: number): Promise<World> {
  let answers = 0;
  const world: Promise<World> = startWorld({
    slack: { ledger: 'off', retry: 'none', echoOwnMessages: false },
    assistant: {
      latencyMs,
      stepMs: 0,
      answer: () => answerInTurn(answers++),
      verifyToken: async (token) => PLAIN.get(token) ?? (await world).identityProvider.verifyToken(token),
    },
  });
  return world;
}

/** Signs the askers in, in the store of an app that is not started yet. */
export async function signInAskers({ slack, environment }: World, store: { path?: string; redisUrl?: string }) {
  const SQLITE_PATH = store.path ?? '';
  await addSignedInPeople({ slack, environment: { ...environment, SQLITE_PATH } }, NAMES, store.redisUrl);
  for (const asker of ASKERS) slack.workspace.join(CHANNEL, asker);
}

/** Signs the asker in as a person would: by asking, and following the link. Resolves once the question is answered. */
export async function signInAsker(world: World, { eventsUrls }: Contender): Promise<void> {
  const { slack } = world;
  const asker = slack.as(ASKER);
  slack.registration.eventsUrl = eventsUrls[0];
  // Else the prompt of another contender would be found.
  slack.workspace.messages.clear();
  const question = await asker.say(CHANNEL, `${slack.mention} hello`, { twins: 'mention-only' });
  await findPrompt(world, ASKER);
  await signIn(world, ASKER, 'thread');
  await slack.until(() => asker.sees(CHANNEL, question.ts).length > 1, { what: 'the first answer' });
}
