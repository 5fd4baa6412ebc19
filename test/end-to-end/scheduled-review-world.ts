// The real app with a scheduled review that is held every second, in Kim's name, in #finance.

import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { closeModals, readDirect, signInAsAdmin } from '../app/administer.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { findPrompt } from '../app/sign-in.ts';
import { startWorld, type World, type WorldOptions } from '../app/world.ts';
import { PLAN, toHand } from './admin-world.ts';

export const KIM = 'U0KIM';
export const REVIEW_CHANNEL = 'C0FINANCE';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

export type ReviewWorld = World & {
  environment: Record<string, string>;
  /** Starts one more process of the app, which ends with the world. */
  start(environment?: Record<string, string>): Promise<AppProcess>;
  /** What the app has posted in the channel, as people read it, oldest first. */
  posts(): string[];
  /** What the app has written to somebody. */
  written(user: SandboxUser): string[];
  /** Waits until the channel has so many. */
  waitForPosts(count: number): Promise<string[]>;
  waitForWritten(user: SandboxUser, count: number): Promise<string[]>;
  /** Signs Kim in with the button that she was sent. */
  signKimIn(): Promise<void>;
  /** Kim drafts the first policy from what is set, and names Ana as the owner of the production environment. */
  draft(): Promise<void>;
  /** What the channel was told that is new: of all posts those that do not say *nothing new*. */
  news(): string[];
  waitForNews(count: number): Promise<string[]>;
  /** Waits until the inventory was read for so many more reviews, and what comes of them was said. */
  passRuns(count: number): Promise<void>;
  /** Turns a rule of the production environment. */
  turn(rule: string, enabled: boolean): void;
  /** Raises the limit of Spec Writer, which belongs to the makers. */
  raiseLimit(limit: number): void;
  stop(): Promise<void>;
};

export async function startReviewWorld(options: WorldOptions & { cron?: string } = {}): Promise<ReviewWorld> {
  const world = await startWorld({ ...options, admin: { thresholdList: true, ...options.admin } });
  const { slack, admin } = world;
  const environment = {
    ...world.environment,
    REVIEW_CRON: options.cron ?? '* * * * * *',
    REVIEW_CHANNEL: `T0001:${REVIEW_CHANNEL}`,
    REVIEW_AS: `T0001:${KIM}`,
  };
  const apps: AppProcess[] = [];
  const isOurs = ({ botId, ephemeralFor }: Message) => botId !== undefined && ephemeralFor === undefined;
  const read = (user: string, channel: string) =>
    slack
      .as(user)
      .sees(channel)
      .filter(isOurs)
      .map((message) => slack.render(message));
  const posts = () => read(KIM, REVIEW_CHANNEL);
  const written = (user: SandboxUser) => read(user, slack.as(user).dm);
  const news = () => posts().filter((text) => !text.includes('*Review*: nothing new'));
  const hand = toHand(world);
  const inventories = () => admin.ledger.requests.filter(({ path }) => path.includes('resourcequery')).length;
  return {
    ...world,
    environment,
    async start(more = {}) {
      const app = await startAppProcess({ ...environment, ...more });
      apps.push(app);
      return app;
    },
    posts,
    written,
    async waitForPosts(count) {
      await slack.until(() => posts().length >= count, { what: `${count} posts` });
      return posts();
    },
    async waitForWritten(user, count) {
      await slack.until(() => written(user).length >= count, { what: `${count} for ${user}` });
      return written(user);
    },
    async signKimIn() {
      await signInAsAdmin(world, KIM, await findPrompt(world, KIM));
      await closeModals(world, KIM);
    },
    async draft() {
      const empty = await hand.awaitSaid(() => hand.tell('review'), /The policy is empty/);
      await hand.decide(await hand.press(empty, 'Draft a policy…'), { words: 'production' });
      const before = readDirect(world, KIM).length;
      await hand.tell('policy export');
      const file = await slack.until(
        () =>
          readDirect(world, KIM)
            .slice(before)
            .flatMap(({ files = [] }) => files)[0],
      );
      const text = String(slack.workspace.files.get(String(file.id))?.content);
      const content = `${text.trimEnd()}\n  - environment: ${PRODUCTION}\n    owners: [ana@acme.example]\n`;
      await slack.as(KIM).say(slack.as(KIM).dm, '', { files: [{ name: 'policy.yaml', content }] });
      await hand.submit(await hand.open('policy import'), {});
      const plan = await slack.until(() => {
        const view = slack.as(KIM).openView();
        return view?.callbackId === PLAN ? view : undefined;
      });
      await hand.decide(plan);
      await closeModals(world, KIM);
    },
    news,
    async waitForNews(count) {
      await slack.until(() => news().length >= count, { what: `${count} posts with something new` });
      return news();
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
    raiseLimit(limit) {
      const key = toThresholdKey(MAKERS, 'bot-4');
      const threshold = admin.state.thresholds.get(key);
      if (!threshold) throw new Error('the seeds are others');
      admin.state.thresholds.set(key, { ...threshold, limit });
    },
    async stop() {
      await Promise.all(apps.map((app) => app.kill('SIGTERM')));
      await world.close();
    },
  };
}
