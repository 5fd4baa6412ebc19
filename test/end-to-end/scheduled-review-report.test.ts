// What administrators do with the post of a scheduled review: the real app, which reviews every second.

import { DatabaseSync } from 'node:sqlite';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it, type TestContext } from 'vitest';
import { awaitModal, readDirect } from '../app/administer.ts';
import { KIM, REVIEW_CHANNEL, type ReviewWorld, startReviewWorld } from './scheduled-review-world.ts';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);
const BEN = 'U0BEN';

const TIMEOUT_MS = 180_000;

/** The app runs, Kim is signed in, and the first review is told. */
async function begin(
  { onTestFinished }: TestContext,
  { environment = {}, register }: { environment?: Record<string, string>; register?: (text: string) => string } = {},
): Promise<ReviewWorld> {
  const world = await startReviewWorld(register ? { register } : {});
  onTestFinished(() => world.stop());
  await world.start(environment);
  await world.waitForWritten(KIM, 1);
  await world.signKimIn();
  await world.waitForPosts(2);
  return world;
}

/** The post with the button that says this. */
function findPost({ slack }: ReviewWorld, text: string): Message {
  const post = slack
    .as(KIM)
    .sees(REVIEW_CHANNEL)
    .find((message) => slack.render(message).includes(text));
  if (!post) throw new Error(`no post says ${text}`);
  return post;
}

function awaitDirect(world: ReviewWorld, user: SandboxUser, text: string): Promise<Message> {
  const find = () => readDirect(world, user).find((message) => world.slack.render(message).includes(text));
  return world.slack.until(find, { what: `a direct message with “${text}”` });
}

/** What only this person sees in the channel of the review. */
function readWords({ slack }: ReviewWorld, user: SandboxUser): string[] {
  const own = slack
    .as(user)
    .sees(REVIEW_CHANNEL)
    .filter(({ ephemeralFor }) => ephemeralFor === user);
  return own.map((message) => slack.render(message));
}

/** The first of them, or a later one. */
function awaitWord(world: ReviewWorld, user: SandboxUser, nth = 1): Promise<string> {
  const find = () => readWords(world, user)[nth - 1];
  return world.slack.until(find, { what: `word ${nth} for ${user} alone` });
}

describe.concurrent('Open the report', { timeout: TIMEOUT_MS }, () => {
  it('brings the report that was kept, whose buttons correct what was found', async (context) => {
    const world = await begin(context);
    world.turn('Deny', false);
    await world.waitForPosts(3);

    await world.slack.as(KIM).click(findPost(world, '1 new finding'), 'Open the report');
    const report = await awaitDirect(world, KIM, '*Review: 1 finding not in order.*');
    await world.slack.as(KIM).click(report, 'Correct…');
    const plan = await awaitModal(world, KIM, 'admin_allocation_confirm');
    await world.slack.as(KIM).submit(plan);
    await awaitDirect(world, KIM, '*Verified*');
    const posts = await world.waitForPosts(4);

    expect(await awaitWord(world, KIM)).toContain('The report is in our direct messages.');
    expect(world.slack.render(report)).toContain('*Contoso Production*');
    expect(world.slack.render(report)).toContain('Kept for 7 days.');
    expect(world.slack.render(plan)).toContain('Deny when used up: off → *on*');
    expect(posts[3]).toContain('In order again: *Contoso Production*');
    expect(world.slack.render(report)).not.toContain(`/assistant-admin review`);
  });

  it('is for every administrator, who changes things with their own account alone', async (context) => {
    const world = await begin(context, { environment: { ADMIN_USERS: `${KIM}, ${BEN}` } });
    world.slack.workspace.join(REVIEW_CHANNEL, BEN);
    world.turn('Deny', false);
    await world.waitForPosts(3);

    await world.slack.as(BEN).click(findPost(world, '1 new finding'), 'Open the report');
    const report = await awaitDirect(world, BEN, '*Review: 1 finding not in order.*');
    await world.slack.as(BEN).click(report, 'Correct…');
    const problem = await awaitModal(world, BEN);

    expect(world.slack.render(problem)).toContain('You are not signed in to the administrative interface');
    expect(
      readDirect(world, KIM)
        .map((message) => world.slack.render(message))
        .join(),
    ).not.toContain('*Review:');
  });

  // One after the other in one world: nothing is changed that a review looks at.
  it('needs no findings, is refused to everybody else, and says where a report cannot be sent or is not kept any more', async (context) => {
    const world = await begin(context);
    const press = (user: SandboxUser) =>
      world.slack.as(user).click(findPost(world, 'First scheduled review'), 'Open the report');
    world.slack.workspace.join(REVIEW_CHANNEL, BEN);

    await press(BEN);
    const toBen = await awaitWord(world, BEN);
    world.slack.faults.always('chat.postMessage', { kind: 'slackError', error: 'restricted_action' });
    await press(KIM);
    const unsent = await awaitWord(world, KIM);
    world.slack.faults.clear();
    await press(KIM);
    const report = await awaitDirect(world, KIM, '*Review: everything is as approved.*');
    const opened = await awaitWord(world, KIM, 2);
    const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '', { timeout: 5_000 });
    database.exec("DELETE FROM documents WHERE key LIKE 'once:report:%'");
    database.close();
    await press(KIM);
    const gone = await awaitWord(world, KIM, 3);

    expect(toBen).toContain('Only administrators of this app can open the report, and you are not one of them.');
    expect(toBen).toContain('Ask one of them: @kim.');
    expect(readDirect(world, BEN)).toEqual([]);
    expect(unsent).toContain('the report was not opened. Try again in a minute.');
    expect(world.slack.render(report)).toMatch(/\*3 environments\*\s+3 as approved/);
    expect(opened).toContain('The report is in our direct messages.');
    expect(gone).toContain('This report is not kept any more');
    expect(gone).toContain('`/assistant-admin review` makes a new one.');
  });
});

describe.concurrent('what is used of credits that nobody owns', { timeout: TIMEOUT_MS }, () => {
  it('is told to the channel once, with the configured level passed, the true figure and the reason', async (context) => {
    const register = (text: string) => text.replace(/^ +owners: \[.*\]\n/gm, '');
    const world = await begin(context, { register, environment: { REVIEW_LEVELS: '75,110' } });
    const owned = world.admin.state.environments.findIndex(({ name }) => name === PRODUCTION);
    const { ownerId: _nobody, ...unowned } = world.admin.state.environments[owned] ?? { name: PRODUCTION };
    world.admin.state.environments[owned] = unowned as (typeof world.admin.state.environments)[number];
    await world.passRuns(1);
    const count = world.posts().length;

    const capacity = {
      allocated: { value: 25_000 },
      consumed: { value: 26_000, consumptionType: 'MonthToDate', lastUpdatedOn: new Date().toISOString() },
    };
    const entitlement = { unit: 'Credit', capacity };
    world.admin.state.entitlements.set(PRODUCTION, [{ entitlementId: 'ServiceMessages', entitlement }]);
    const posts = await world.waitForPosts(count + 1);
    await world.passRuns(2);

    expect(posts.at(-1)).toContain('but owners could not be told about 1 environment or agent.');
    expect(posts.at(-1)).toContain(
      'No owner could be told about *Contoso Production* (104 % used): neither the register nor the service names one.',
    );
    expect(posts.at(-1)).not.toContain('26,000');
    expect(world.posts()).toHaveLength(count + 1);
  });
});
