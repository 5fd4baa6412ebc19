import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { signIn } from '../app/sign-in.ts';
import { startWorld, type World, type WorldOptions } from '../app/world.ts';

export const CHANNEL = 'C0GENERAL';

type Place = { channel: string; ts: string };

/** The world with the real app running in it. */
export type LiveWorld = World & {
  app: AppProcess;
  /** Signs somebody in who has not been asked anything yet, and waits until that is over. */
  signIn(user: SandboxUser, channelAnswers?: 'thread' | 'private'): Promise<void>;
  /** A mention of the app by Ana in #general, as the root of a thread or in one. */
  ask(text: string, options?: { threadTs?: string }): ReturnType<ReturnType<World['slack']['as']>['say']>;
  /** The app's messages in a thread that all can see, in order. */
  repliesIn(place: Place, user?: SandboxUser): Message[];
  /** The same, as text, once there are so many. */
  waitForReplies(place: Place, count?: number, user?: SandboxUser): Promise<string[]>;
};

type LiveOptions = WorldOptions & { environment?: Record<string, string> };

/**
 * One world for all tests of a file, in which these people have signed in. Each test begins with empty ledgers, without
 * faults, and with nothing held.
 */
export function shareLiveWorld(
  take: (world: LiveWorld) => void,
  { signedIn = ['U0ANA'], ...options }: LiveOptions & { signedIn?: SandboxUser[] } = {},
): void {
  let world: LiveWorld;
  beforeAll(async () => {
    world = await startLiveWorld(options);
    take(world);
    for (const user of signedIn) await world.signIn(user);
  });
  beforeEach(() => {
    for (const { ledger, faults } of [world.assistant, world.slack]) {
      ledger.clear();
      faults.clear();
    }
    world.assistant.release();
  });
  afterAll(() => world.close());
}

export async function startLiveWorld(options: LiveOptions = {}): Promise<LiveWorld> {
  const world = await startWorld(options);
  const app = await startAppProcess({ ...world.environment, ...options.environment });
  const { slack } = world;
  // Until then the look at the sign-in could take a fault that a test asks for, or be counted among its requests.
  await slack.until(() => app.lines.some((line) => line.includes('sign-in looked at')), { what: 'the start' });
  const live: LiveWorld = {
    ...world,
    app,
    async signIn(user, channelAnswers) {
      const before = world.assistant.ledger.chats().length;
      await slack.as(user).say(slack.as(user).dm, 'sign me in');
      const browser = await signIn(world, user, channelAnswers);
      expect(browser.page.heading).toBe('Your accounts are connected');
      await slack.until(() => world.assistant.ledger.chats().length > before, { what: 'the held answer' });
      world.assistant.ledger.clear();
    },
    ask: (text, { threadTs } = {}) =>
      slack.as('U0ANA').say(CHANNEL, `${slack.mention} ${text}`, threadTs ? { threadTs } : {}),
    repliesIn({ channel, ts }, user = 'U0ANA') {
      const isOurs = (message: Message) => message.botId && !message.ephemeralFor && message.ts !== ts;
      return slack.as(user).sees(channel, ts).filter(isOurs);
    },
    async waitForReplies(place, count = 1, user = 'U0ANA') {
      await slack.until(() => live.repliesIn(place, user).length >= count, {
        what: `${count} replies`,
      });
      return live.repliesIn(place, user).map((message) => slack.render(message));
    },
    async close() {
      // A test may have started it anew.
      await live.app.kill('SIGTERM');
      await world.close();
    },
  };
  return live;
}
