// The live world with a scheduled review that is held every second, in Kim's name, in #finance.
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { onTestFinished } from 'vitest';
import { signInAsAdmin } from '../app/administer.ts';
import { closeModals } from '../app/open-window.ts';
import { findPrompt } from '../app/sign-in.ts';
import { KIM, toHand } from './admin-world.ts';
import type { AdminWorld } from './live-admin.ts';
import { type LiveOptions, startLiveWorld } from './live-world.ts';

export const REVIEW_CHANNEL = 'C0FINANCE';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

/** Nobody has signed in. */
export type ReviewWorld = AdminWorld & {
  /** What the app has posted in the channel, as people read it, oldest first. */
  posts(): string[];
  /** What the app has written to somebody. */
  written(user: SandboxUser): string[];
  /** What the channel was told that is new: of all posts those that do not say *nothing new*. */
  news(): string[];
  /** Waits until one of these has so many. */
  waitFor(list: () => string[], count: number): Promise<string[]>;
  /** Signs Kim in with the button that she was sent. */
  signKimIn(): Promise<void>;
  /** Kim drafts the first policy from what is set, and names Ana as the owner of the production environment. */
  draftWithOwner(): Promise<void>;
  /** Waits until the inventory was read for so many more reviews, and what comes of them was said. */
  passRuns(count: number): Promise<void>;
  /** Turns a rule of the production environment. */
  turn(rule: string, enabled: boolean): void;
};

export async function openReviewWorld({
  onEnd = onTestFinished,
  environment,
  ...options
}: LiveOptions & { onEnd?: typeof onTestFinished }): Promise<ReviewWorld> {
  const review = { REVIEW_CHANNEL: `T0001:${REVIEW_CHANNEL}`, REVIEW_AS: `T0001:${KIM}` };
  const live = await startLiveWorld({
    ...{ ...options, admin: { thresholdList: true } },
    environment: { REVIEW_CRON: '* * * * * *', ...review, ...environment },
  });
  onEnd(() => live.close());
  const { slack, admin } = live;
  const isOurs = ({ botId, ephemeralFor }: Message) => botId !== undefined && ephemeralFor === undefined;
  const read = (user: string, channel: string) =>
    slack
      .as(user)
      .sees(channel)
      .filter(isOurs)
      .map((message) => slack.render(message));
  const posts = () => read(KIM, REVIEW_CHANNEL);
  const hand = toHand(live);
  const inventories = () => admin.ledger.requests.filter(({ path }) => path.includes('resourcequery')).length;
  return Object.assign(live, hand, {
    posts,
    written: (user) => read(user, slack.as(user).dm),
    news: () => posts().filter((text) => !text.includes('*Review*: nothing new')),
    async waitFor(list, count) {
      await slack.until(() => list().length >= count, { what: `${count} of ${list}` });
      return list();
    },
    async signKimIn() {
      await signInAsAdmin(live, KIM, await findPrompt(live, KIM));
      await closeModals(live, KIM);
    },
    async draftWithOwner() {
      await hand.draft();
      const text = await hand.exportPolicy();
      const owned = `${text.trimEnd()}\n  - environment: ${PRODUCTION}\n    owners: [ana@acme.example]\n`;
      await hand.decide(await hand.importPolicy(owned));
      await closeModals(live, KIM);
    },
    async passRuns(count) {
      // Two queries a run; one more run, because the first may have been under way.
      const enough = inventories() + 2 * (count + 1);
      await slack.until(() => inventories() >= enough, { what: `${count} more reviews` });
    },
    turn(rule, enabled) {
      const allocation = admin.state.allocations.get(PRODUCTION);
      if (!allocation) throw new Error('the seeds are others');
      const currencyAllocations = allocation.currencyAllocations.map((currency, index) => ({
        ...currency,
        enforcementRules: currency.enforcementRules.map((one) =>
          index === 0 && one.ruleType === rule ? { ...one, enabled } : one,
        ),
      }));
      admin.state.allocations.set(PRODUCTION, { ...allocation, currencyAllocations });
    },
  } satisfies Omit<ReviewWorld, keyof AdminWorld>);
}
