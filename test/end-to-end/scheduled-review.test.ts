import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import { describe, expect, it, type TestContext } from 'vitest';
import { awaitModal, closeModals } from '../app/administer.ts';
import { ANA, BEN, KIM, PLAN, WHY } from './admin-world.ts';
import type { LiveOptions } from './live-world.ts';
import { openReviewWorld, REVIEW_CHANNEL, type ReviewWorld } from './scheduled-review-world.ts';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

/** Each test has a world of its own and mostly waits for the next second: all together take little longer than the longest. */
const TIMEOUT_MS = 180_000;

/** Kim is signed in, there is a policy, and the first review is said. `count`: of what was news so far. */
async function begin(
  { onTestFinished: onEnd }: TestContext,
  environment: Record<string, string> = {},
  options: LiveOptions = {},
) {
  const world = await openReviewWorld(environment, { ...options, onEnd });
  const toAna = () => world.written(ANA);
  await world.waitFor(() => world.written(KIM), 1);
  await world.signKimIn();
  await world.draftWithOwner();
  await world.passRuns(2);
  await world.find('*Review*: nothing new', { user: KIM, channel: REVIEW_CHANNEL });
  return { world, app: world.app, toAna, count: world.news().length, written: toAna().length };
}

function useCredits({ admin }: ReviewWorld, value: number): void {
  const consumed = { value, consumptionType: 'MonthToDate', lastUpdatedOn: new Date().toISOString() };
  const entitlement = { unit: 'Credit', capacity: { allocated: { value: 25_000 }, consumed } };
  admin.state.entitlements.set(PRODUCTION, [{ entitlementId: 'ServiceMessages', entitlement }]);
}

describe.concurrent('the scheduled review', { timeout: TIMEOUT_MS }, () => {
  it('says each problem once, and is held when there is none any more', async ({ onTestFinished: onEnd }) => {
    const world = await openReviewWorld({}, { onEnd });
    const failed = (code: string) => world.logged('scheduled review not held').filter((line) => line.includes(code));
    await world.slack.until(() => failed('not_signed_in').length >= 3, { what: 'three reviews without a sign-in' });
    const unsigned = [...world.posts(), ...world.written(KIM)];
    await world.signKimIn();
    await world.slack.until(() => failed('policy_empty').length >= 3, { what: 'three reviews without a policy' });
    const empty = world.posts().slice(1);
    await world.draftWithOwner();
    const posts = await world.waitFor(world.posts, 3);

    expect(unsigned).toEqual([
      expect.stringContaining('@kim, with whose rights it reads, is not signed in'),
      expect.stringContaining('The scheduled review reads with your rights'),
    ]);
    expect(empty).toEqual([expect.stringContaining('The policy is empty, so there is nothing to compare with.')]);
    expect(posts[2]).toMatch(
      /:white_check_mark: \*Review\*: nothing new; all \d+ settings? (?:is|are) as policy \d says/,
    );
  });

  it('tells the channel and each owner once what changed, whatever is restarted', async (context) => {
    const { world, app, toAna, count, written } = await begin(context);

    world.turn('Deny', false);
    const news = await world.waitFor(world.news, count + 1);
    const told = await world.waitFor(toAna, written + 1);
    await world.passRuns(2);
    await world.restart('SIGTERM');
    await world.passRuns(2);
    world.turn('Deny', true);
    const over = await world.waitFor(world.news, count + 2);

    expect(news[count]).toMatch(
      /\*1 new\*[\s\S]*\*Allow more \(1\)\*[\s\S]*Deny when used up \(ServiceMessages\) on → off/,
    );
    expect(told.at(-1)).toContain('*Contoso Production*');
    expect(told.at(-1)).toContain('Ask @kim');
    expect(over[count + 1]).toMatch(/1 over: \*Contoso Production\*/);
    expect([world.written(ANA).length, world.written(BEN).length]).toEqual([written + 1, 0]);
    expect(
      app.lines.filter(
        (line) => line.includes('scheduled review not held') && !/not_signed_in|policy_empty/.test(line),
      ),
    ).toEqual([]);
  });

  it('tells an owner once a month that much is used, and what is used to nobody else', async (context) => {
    const { world, toAna, written } = await begin(context);

    useCredits(world, 21_000);
    const high = await world.waitFor(toAna, written + 1);
    await world.passRuns(2);
    useCredits(world, 25_500);
    const usedUp = await world.waitFor(toAna, written + 2);
    await world.passRuns(2);

    expect(high.at(-1)).toMatch(
      /\*Contoso Production\* has used 84 % of its credits \(ServiceMessages\): 21,000 of 25,000 credits/,
    );
    expect(usedUp.at(-1)).toContain('25,500 of 25,000 credits');
    expect([world.written(ANA).length, world.written(BEN).length]).toEqual([written + 2, 0]);
    expect(world.posts().join()).not.toMatch(/21,000|25,500/);
  });

  it('is taken over where its process dies after the post, and says nothing twice', async (context) => {
    const { world, app, toAna, count, written } = await begin(context);
    const stop = world.slack.faults.onProcessed('chat.postMessage', async (call) => {
      if (call.arguments.channel !== REVIEW_CHANNEL || !JSON.stringify(call.arguments).includes('1 new')) return;
      stop();
      await app.kill('SIGKILL');
    });
    world.turn('Deny', false);
    await app.ended;

    await world.restart();
    const told = await world.waitFor(toAna, written + 1);
    await world.passRuns(1);

    expect(told.at(-1)).toContain('Contoso Production');
    expect(world.news()).toHaveLength(count + 1);
    expect(world.written(ANA)).toHaveLength(written + 1);
  });

  it('has buttons: for administrators, each with their own sign-in, and for nobody else', async (context) => {
    const { world, count } = await begin(context, { ADMIN_USERS: `${KIM}, ${BEN}` });
    world.slack.workspace.join(REVIEW_CHANNEL, BEN);
    world.turn('Deny', false);
    await world.waitFor(world.news, count + 1);
    const post = await world.find('1 new', { user: KIM, channel: REVIEW_CHANNEL });
    const press = async (user: SandboxUser) => {
      await closeModals(world, user);
      await world.slack.as(user).click(post, 'Set back');
      return awaitModal(world, user);
    };

    const toBen = world.slack.render(await press(BEN));
    const toAna = world.slack.render(await press(ANA));
    const plan = await press(KIM);
    await world.slack.as(KIM).submit(plan, { reason: WHY });
    const over = await world.waitFor(world.news, count + 2);

    expect(toBen).toContain('You are not signed in to the administrative interface');
    expect(toAna).toContain('Only administrators of this app may use');
    expect(plan.callbackId === PLAN || over.length > count).toBe(true);
    expect(over[count + 1]).toMatch(/1 over: \*Contoso Production\*/);
  });
});

describe.concurrent('two replicas', { timeout: TIMEOUT_MS }, () => {
  it('hold one review between them, and one takes over from the other', async (context) => {
    const { world, app: first, toAna, count, written } = await begin(context, { LEASE_SECONDS: '2' }, { redis: true });
    // So that the service can tell them apart.
    const url = world.admin.url.replace('127.0.0.1', 'localhost');
    const second = await world.startOther({ ADMIN_API_BASE_URL: url });
    world.turn('Deny', false);
    await world.waitFor(world.news, count + 1);
    await world.waitFor(toAna, written + 1);
    await world.passRuns(1);
    const before = world.news().length;

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
    // Whoever runs them starts another one, which looks at once; those that are there look every few minutes.
    await world.startOther();
    await world.waitFor(world.news, count + 2);
    await world.passRuns(1);

    expect(before).toBe(count + 1);
    expect(world.news()).toHaveLength(count + 2);
    expect(world.written(ANA)).toHaveLength(written + 2);
  });
});
