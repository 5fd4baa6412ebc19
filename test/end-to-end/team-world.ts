// One team of several in the live world, as its own people see it.

import { type Browser, createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import type { SandboxTeam } from '@assistant-bridge/sandbox/slack/sandbox-team.ts';
import { expect } from 'vitest';
import { findPrompt, passSignInPages, pressSignIn } from '../app/sign-in.ts';
import type { World } from '../app/world.ts';
import type { LiveWorld } from './live-world.ts';

type Account = 'ana' | 'ben' | 'kim';

type Place = { channel: string; ts: string };

/** What a person of this team does and sees. `user`: a Slack user id. */
export type TeamWorld = SandboxTeam & {
  /** The address that *Sign in* gives to somebody who has been asked to. */
  signInAddress(user: string): Promise<string>;
  /** A browser that is signed in to this team's Slack, and to the identity provider. */
  browserOf(user: string, account: Account): Promise<Browser>;
  /** Asks something, signs in with this account, and waits until that is over. */
  signIn(user: string, account: Account): Promise<void>;
  /** Installs the app by the pages; returns the heading of the last one. */
  installByPages(user: string, where?: 'team' | 'enterprise'): Promise<string | undefined>;
  repliesIn(place: Place, user: string): Message[];
  waitForReplies(place: Place, user: string, count?: number): Promise<string[]>;
};

export function inTeam(world: LiveWorld, team: SandboxTeam): TeamWorld {
  const { slack } = world;
  const here: World = { ...world, slack: { ...slack, ...team } };
  const isOurs = ({ botId, ephemeralFor }: Message) => botId !== undefined && ephemeralFor === undefined;
  const inside: TeamWorld = {
    ...team,
    // The helper of the sandbox knows the people of the first team; here only their ids matter.
    signInAddress: async (user) => pressSignIn(here, user as 'U0ANA', await findPrompt(here, user as 'U0ANA')),
    async browserOf(user, account) {
      const browser = createBrowser();
      await browser.open(`${slack.url}/sandbox/login?user=${user}&team=${team.teamId}`);
      await browser.open(world.identityProvider.loginUrl(account));
      return browser;
    },
    async signIn(user, account) {
      const before = world.assistant.ledger.chats().length;
      const asked = await team.as(user).say(team.as(user).dm, 'sign me in');
      const browser = await inside.browserOf(user, account);
      await browser.open(await inside.signInAddress(user));
      await passSignInPages(browser);
      expect(browser.page.heading).toBe('Your accounts are connected');
      await slack.until(() => world.assistant.ledger.chats().length > before, { what: 'the held question' });
      const isAnswer = (message: Message) => slack.render(message).includes('about **sign me in**');
      await slack.until(() => inside.repliesIn(asked, user).some(isAnswer), { what: 'the held answer' });
      world.assistant.ledger.clear();
    },
    async installByPages(user, where) {
      const browser = await inside.browserOf(user, 'kim');
      await browser.open(`${world.publicUrl}/slack/install`);
      await browser.submit();
      await browser.submit(0, { decision: 'allow', ...(where && { where }) });
      return browser.page.heading;
    },
    repliesIn: ({ channel, ts }, user) =>
      team
        .as(user)
        .sees(channel, ts)
        .filter((message) => isOurs(message) && message.ts !== ts),
    async waitForReplies(place, user, count = 1) {
      const replies = () => inside.repliesIn(place, user);
      await slack.until(() => replies().length >= count, {
        what: `${count} replies in ${team.teamId}`,
      });
      return replies().map((message) => slack.render(message));
    },
  };
  return inside;
}
