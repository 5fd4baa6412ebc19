// What people do with the app and see of it, step by step: every end-to-end test is made of these.
import { ACCOUNTS, type SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { SayOptions } from '@assistant-bridge/sandbox/slack/people/speak.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import type { SandboxTeam } from '@assistant-bridge/sandbox/slack/sandbox-team.ts';
import { expect } from 'vitest';
import { closeModals } from '../app/open-window.ts';
import { findPrompt, openBrowserOf, passSignInPages, pressSignIn } from '../app/sign-in.ts';
import type { World } from '../app/world.ts';

export const CHANNEL = 'C0GENERAL';

export type Place = { channel: string; ts: string };

/** Who does it, and where: Ana in #general unless told otherwise. */
type Where = { user?: string; channel?: string };

/** What the asker wrote themselves, of a text that the service was asked: the quotes from Slack stand before it. */
export function toAskedWords(text: string): string {
  return text.split(/^\[(?:End of the quotes\. My question|Ende der Zitate\. Meine Frage):\]\n/m).at(-1) ?? '';
}

export type Steps = ReturnType<typeof toSteps>;

export type TeamWorld = SandboxTeam & Steps;

/** One team of several, as its own people see it. */
export function inTeam(world: World, team: SandboxTeam): TeamWorld {
  return { ...team, ...toSteps({ ...world, slack: { ...world.slack, ...team } }) };
}

export function toSteps(world: World) {
  const { slack, assistant } = world;
  const chats = () => assistant.ledger.chats();
  const has = (shown: Message | View | undefined, words: string) =>
    shown !== undefined && `${'text' in shown ? shown.text : ''}\n${slack.render(shown)}`.includes(words);
  const waitFor = <T>(words: string, where: string, look: () => T) =>
    slack.until(look, { what: `“${words}” in ${where}` });

  const steps = {
    /** A browser that is signed in to this team's Slack, and to the identity provider. */
    browserOf: (user: string, account?: string) => openBrowserOf(world, user as SandboxUser, account),
    /** The address that *Sign in* gives to somebody who has been asked to. */
    signInAddress: async (user: string) =>
      pressSignIn(world, user as SandboxUser, await findPrompt(world, user as SandboxUser)),
    /** Installs the app by its pages, and returns the browser on the last one. */
    async installByPages(choice: { decision?: 'allow' | 'cancel'; where?: 'enterprise' } = {}) {
      const browser = await steps.browserOf('U0KIM');
      await browser.open(`${world.publicUrl}/slack/install`);
      await browser.submit();
      await browser.submit(0, { decision: 'allow', ...choice });
      return browser;
    },
    /** Signs somebody in who has not been asked anything yet, and waits until that is over. */
    async signIn(user: string, channelAnswers?: 'thread' | 'private', account?: string): Promise<void> {
      const before = chats().length;
      const asked = await slack.as(user).say(slack.as(user).dm, 'sign me in');
      const browser = await steps.browserOf(user, account);
      await browser.open(await steps.signInAddress(user));
      await passSignInPages(browser, channelAnswers ? { channelAnswers } : {});
      expect(browser.page.heading).toBe('Your accounts are connected');
      await slack.until(() => chats().length > before, { what: 'the held question' });
      const isAnswer = ({ blocks }: Message) => JSON.stringify(blocks).includes('"action_id":"ask_');
      await slack.until(() => steps.repliesIn(asked, user).some(isAnswer), { what: 'the held answer' });
      assistant.ledger.clear();
    },
    /** Asks, with a mention of the app where it is no direct message, as the root of a thread or in one. */
    ask(text: string, { user = 'U0ANA', channel = CHANNEL, ...options }: Where & SayOptions = {}) {
      const isDirect = channel === slack.as(user).dm;
      return slack.as(user).say(channel, isDirect ? text : `${slack.mention} ${text}`, options);
    },
    /** Asks, and returns the question with the next reply to it: the message, and how people read that. */
    async askAndWait(text: string, options: Where & SayOptions = {}) {
      const { user = 'U0ANA', channel = CHANNEL, threadTs } = options;
      const before = threadTs ? steps.repliesIn({ channel, ts: threadTs }, user).length : 0;
      const question = await steps.ask(text, options);
      const answer = await steps.reply({ channel, ts: threadTs ?? question.ts }, before + 1, user);
      return { question, answer, text: slack.render(answer) };
    },
    /** The app's messages in a thread that all can see, in order. */
    repliesIn({ channel, ts }: Place, user = 'U0ANA'): Message[] {
      const isOurs = (message: Message) => message.botId && !message.ephemeralFor && message.ts !== ts;
      return slack.as(user).sees(channel, ts).filter(isOurs);
    },
    /** The nth of them, once it is there. */
    reply: (place: Place, nth = 1, user = 'U0ANA'): Promise<Message> =>
      slack.until(() => steps.repliesIn(place, user)[nth - 1], { what: `reply ${nth}` }),
    /** All of them as text, once there are so many. */
    async waitForReplies(place: Place, count = 1, user = 'U0ANA'): Promise<string[]> {
      await steps.reply(place, count, user);
      return steps.repliesIn(place, user).map((message) => slack.render(message));
    },
    /** The latest message with these words that this person sees there, in the thread or at the root, once there is one. */
    find: (words: string, { user = 'U0ANA', channel = CHANNEL, threadTs }: Where & { threadTs?: string } = {}) =>
      waitFor(words, threadTs ? 'the thread' : channel, () =>
        slack
          .as(user)
          .sees(channel, threadTs)
          .findLast((message) => has(message, words)),
      ),
    /** The same in somebody's direct messages with the app. */
    findDirect: (words: string, user = 'U0ANA') => steps.find(words, { user, channel: slack.as(user).dm }),
    /** The window in front of somebody, once it says this. */
    findWindow: (words: string, user = 'U0ANA'): Promise<View> =>
      waitFor(words, 'a window', () => {
        const view = slack.as(user).openView();
        return has(view, words) ? view : undefined;
      }),
    /** Their home tab, once it says this. */
    findHome: (words: string, user = 'U0ANA'): Promise<View> =>
      waitFor(words, 'the home tab', () => {
        const view = slack.as(user).home();
        return has(view, words) ? view : undefined;
      }),
    async closeWindows(): Promise<void> {
      for (const user of Object.keys(ACCOUNTS)) if (slack.workspace.users.has(user)) await closeModals(world, user);
    },
    /** Gives a command, and returns the answer as text. */
    async command(text: string, { user = 'U0ANA', channel = CHANNEL }: Where = {}, name = '/assistant') {
      const { reply } = await slack.as(user).command(name, text, channel);
      return reply ? slack.render(reply) : '';
    },
    /** Who asked what, as far as the service answered it. */
    asked: () =>
      chats()
        .filter(({ isProcessed }) => isProcessed)
        .map(({ subject, text }) => [subject, toAskedWords(text)]),
  };
  return steps;
}

/** What *Copy link* in the menu of a message gives. */
export function linkTo({ channel, ts, threadTs }: Place & { threadTs?: string }): string {
  const link = `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`;
  return threadTs ? `${link}?thread_ts=${threadTs}&cid=${channel}` : link;
}
