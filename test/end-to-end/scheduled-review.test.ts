import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { PEOPLE } from '@assistant-bridge/sandbox/identity-provider/people.ts';
import { describe, expect, it, type TestContext } from 'vitest';
import { startRedis } from '../app/redis-server.ts';
import { signIn } from '../app/sign-in.ts';
import { KIM, REVIEW_CHANNEL, type ReviewWorld, startReviewWorld } from './scheduled-review-world.ts';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

type Options = Parameters<typeof startReviewWorld>[0];

/** Each test has a world of its own and mostly waits for the next second: all together take little longer than the longest. */
const TIMEOUT_MS = 180_000;

async function startWorld({ onTestFinished }: TestContext, options: Options = {}): Promise<ReviewWorld> {
  const world = await startReviewWorld(options);
  onTestFinished(() => world.stop());
  return world;
}

/** The app runs, Kim is signed in, and the first review is said. */
async function begin(context: TestContext, options: Options = {}, environment: Record<string, string> = {}) {
  const world = await startWorld(context, options);
  const app = await world.start(environment);
  await world.waitForWritten(KIM, 1);
  await world.signKimIn();
  await world.waitForPosts(2);
  return { world, app };
}

describe.concurrent('the scheduled review', { timeout: TIMEOUT_MS }, () => {
  it('says once that its admin is not signed in, and is held when they are', async (context) => {
    const world = await startWorld(context);
    await world.start();
    const [problem] = await world.waitForPosts(1);
    const [prompt] = await world.waitForWritten(KIM, 1);
    // More runs fail for the same reason.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const count = [world.posts().length, world.written(KIM).length];

    await world.signKimIn();
    const [, review] = await world.waitForPosts(2);

    expect(problem).toContain('The scheduled review could not be done.');
    expect(problem).toContain('@kim, with whose rights it reads, is not signed in');
    expect(prompt).toContain('The scheduled review reads with your rights');
    expect(count).toEqual([1, 1]);
    expect(review).toContain('*First scheduled review*: everything is as approved');
  });

  it('tells the channel and each owner once what changed, whatever is restarted', async (context) => {
    const { world, app } = await begin(context);

    world.turn('Deny', false);
    const [, , news] = await world.waitForPosts(3);
    const [toAna] = await world.waitForWritten('U0ANA', 1);
    await world.passRuns(2);
    await app.kill('SIGTERM');
    await world.start();
    await world.passRuns(2);

    expect(news).toContain('1 new finding');
    expect(news).toContain('Deny when used up (ServiceMessages): approved on → found *off* · allows more');
    expect(toAna).toContain('*Contoso Production* is not as approved');
    expect(toAna).toContain('write to @kim');
    expect([world.posts().length, world.written('U0ANA').length, world.written('U0BEN').length]).toEqual([3, 1, 0]);
    const done = app.lines.filter((line) => line.includes('scheduled review done')).map((line) => JSON.parse(line));
    expect(done.find((line) => line.new === 1)).toMatchObject({ environments: 3, agents: 6, owners: 1, told: 1 });
  });

  it('finds owners by their id in the directory, and says of whom it found nobody', async (context) => {
    const register = (text: string) =>
      text.replace(
        'owners: [ben@acme.example]\n    allocations',
        `owners: [${PEOPLE.get('ben')?.oid}]\n    allocations`,
      );
    const { world } = await begin(context, { register });
    // Before Ben has signed in, nobody knows who he is in Slack.
    world.raiseLimit(9_000);
    const [, , first] = await world.waitForPosts(3);
    await world.slack.as('U0BEN').say(world.slack.as('U0BEN').dm, 'sign me in');
    await signIn(world, 'U0BEN');

    world.raiseLimit(8_000);
    await world.slack.until(() => world.written('U0BEN').some((text) => text.includes('8,000')), {
      what: 'a word to Ben',
    });

    expect(first).toContain(`No owner could be told about *Spec Writer in Ana's "Makers" lab*`);
    expect(world.written('U0BEN').at(-1)).toContain('Monthly limit: approved 100 → found *8,000* · allows more');
  });

  it('tells an owner once a month that much is used, and what is used to nobody else', async (context) => {
    const { world } = await begin(context);
    const use = (value: number) => {
      const lastUpdatedOn = new Date().toISOString();
      const capacity = {
        allocated: { value: 25_000 },
        consumed: { value, consumptionType: 'MonthToDate', lastUpdatedOn },
      };
      const entitlement = { unit: 'Credit', capacity };
      world.admin.state.entitlements.set(PRODUCTION, [{ entitlementId: 'ServiceMessages', entitlement }]);
    };

    use(21_000);
    const [high] = await world.waitForWritten('U0ANA', 1);
    await world.passRuns(2);
    use(25_500);
    const [, usedUp] = await world.waitForWritten('U0ANA', 2);
    await world.passRuns(2);

    expect(high).toContain(
      '*Contoso Production* has used 84 % of its credits (ServiceMessages), past the level of 80 %: 21,000 of 25,000',
    );
    expect(usedUp).toContain('has used up its credits (ServiceMessages): 25,500 of 25,000');
    expect(world.written('U0ANA')).toHaveLength(2);
    expect(world.written('U0BEN')).toEqual([]);
    expect(world.posts().join()).not.toMatch(/21,000|25,500/);
  });

  it('is taken over where its process dies after the post, and says nothing twice', async (context) => {
    const { world, app } = await begin(context);
    const stop = world.slack.faults.onProcessed('chat.postMessage', async (call) => {
      if (call.arguments.channel !== REVIEW_CHANNEL) return;
      stop();
      await app.kill('SIGKILL');
    });
    world.turn('Deny', false);
    await app.ended;

    await world.start();
    const [toAna] = await world.waitForWritten('U0ANA', 1);
    await world.passRuns(1);

    expect(toAna).toContain('Contoso Production');
    expect(world.posts()).toHaveLength(3);
    expect(world.written('U0ANA')).toHaveLength(1);
  });

  it('tells its admin alone where the app is not in the channel', async (context) => {
    const world = await startWorld(context);
    world.slack.workspace.leave(REVIEW_CHANNEL, world.slack.botUserId);
    await world.start();

    const [direct] = await world.waitForWritten(KIM, 1);
    await new Promise((resolve) => setTimeout(resolve, 3_000));

    expect(direct).toContain('The app is not in the channel');
    expect(world.written(KIM)).toHaveLength(1);
    expect(world.posts()).toEqual([]);
  });
});

describe.concurrent('two replicas', { timeout: TIMEOUT_MS }, () => {
  it('hold one review between them, and one takes over from the other', async (context) => {
    const redis = await startRedis();
    context.onTestFinished(() => redis.close());
    const environment = { REDIS_URL: redis.url, LEASE_SECONDS: '2' };
    const { world, app: first } = await begin(context, {}, environment);
    // So that the service can tell them apart.
    const url = world.admin.url.replace('127.0.0.1', 'localhost');
    const second = await world.start({ ...environment, PORT: '0', ADMIN_API_BASE_URL: url });
    world.turn('Deny', false);
    await world.waitForPosts(3);
    await world.waitForWritten('U0ANA', 1);
    await world.passRuns(1);
    const countBefore = world.posts().length;

    const killed = new Promise<void>((resolve) => {
      const stop = world.admin.onCall(async () => {
        stop();
        const host = world.admin.ledger.requests.at(-1)?.headers.host ?? '';
        await (host.startsWith('localhost') ? second : first).kill('SIGKILL');
        resolve();
      });
    });
    world.turn('Alert', false);
    await killed;
    await world.waitForPosts(4);
    await world.passRuns(1);

    expect(countBefore).toBe(3);
    expect(world.posts()).toHaveLength(4);
    expect(world.written('U0ANA')).toHaveLength(2);
  });
});
