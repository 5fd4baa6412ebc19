import { ASSISTANT_SCOPE } from '../../test/sandbox/loopback/scopes.ts';
import type { TokenHolder } from '../../test/sandbox/loopback/token-holder.ts';
import { findPrompt, signIn } from '../../test/sandbox/sign-in.ts';
import { startWorld, type World } from '../../test/sandbox/world.ts';
import { answerInTurn } from './answers.ts';
import type { Contender } from './contender.ts';

export const CHANNEL = 'C0GENERAL';
export const ASKER = 'U0ANA';

/** The one token of the bots that the app is compared with. */
export const PLAIN_TOKEN = 'sandbox-ana';

const ANA: TokenHolder = { subject: 'ana', name: 'Ana', scope: ASSISTANT_SCOPE };

/** The local world in its cheapest form: it keeps no ledger, repeats no event, and sends no echo of own messages. */
export function startBenchWorld(latencyMs: number): Promise<World> {
  let answers = 0;
  const world: Promise<World> = startWorld({
    slack: { ledger: 'off', retry: 'none', echoOwnMessages: false },
    assistant: {
      latencyMs,
      stepMs: 0,
      answer: () => answerInTurn(answers++),
      verifyToken: async (token) => (token === PLAIN_TOKEN ? ANA : (await world).identityProvider.verifyToken(token)),
    },
  });
  return world;
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
