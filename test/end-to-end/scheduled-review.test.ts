// What it finds and says, and to whom, is in governance/schedule: here it is held by real processes, which end.
import { expect, it, type TestContext } from 'vitest';
import { ANA, BEN, KIM } from './admin-world.ts';
import type { LiveOptions } from './live-world.ts';
import { openReviewWorld, REVIEW_CHANNEL } from './scheduled-review-world.ts';

/** Both wait for the next second: at once they take little longer than one of them. */
const TIMEOUT_MS = 180_000;

/** Kim is signed in, there is a policy, and the first review is said. `count`: of what was news so far. */
async function begin({ onTestFinished: onEnd }: TestContext, options: LiveOptions) {
  const world = await openReviewWorld({ ...options, onEnd });
  const toAna = () => world.written(ANA);
  await world.waitFor(() => world.written(KIM), 1);
  await world.signKimIn();
  await world.draftWithOwner();
  await world.passRuns(2);
  await world.find('*Review*: nothing new', { user: KIM, channel: REVIEW_CHANNEL });
  return { world, toAna, count: world.news().length, written: toAna().length };
}

it.concurrent('a scheduled review says what changed to the channel and each owner once, whatever becomes of its process', {
  timeout: TIMEOUT_MS,
}, async (context) => {
  const { world, toAna, count, written } = await begin(context, {});
  const { app } = world;
  const stop = world.slack.faults.onProcessed('chat.postMessage', async (call) => {
    if (call.arguments.channel !== REVIEW_CHANNEL || !JSON.stringify(call.arguments).includes('1 new')) return;
    stop();
    await app.kill('SIGKILL');
  });
  world.turn('Deny', false);
  await app.ended;

  await world.restart();
  const told = await world.waitFor(toAna, written + 1);
  await world.passRuns(2);
  const news = world.news();
  world.turn('Deny', true);
  const over = await world.waitFor(world.news, count + 2);

  expect(news).toHaveLength(count + 1);
  expect(news[count]).toMatch(
    /\*1 new\*[\s\S]*\*Allow more \(1\)\*[\s\S]*Deny when used up \(ServiceMessages\) on → off/,
  );
  expect(told.at(-1)).toContain('*Contoso Production*');
  expect(told.at(-1)).toContain('Ask @kim');
  expect(over[count + 1]).toMatch(/1 resolved: \*Contoso Production\*/);
  expect([world.written(ANA).length, world.written(BEN).length]).toEqual([written + 1, 0]);
});

it.concurrent('two replicas hold one review between them, and one takes over from the other', {
  timeout: TIMEOUT_MS,
}, async (context) => {
  const { world, toAna, count, written } = await begin(context, { redis: true, environment: { LEASE_SECONDS: '2' } });
  const { app: first } = world;
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
