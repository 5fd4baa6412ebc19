// One policy: what is decided in Slack is what is approved, and what others do at the service is seen.
import { CURRENCY, type Threshold, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ANA, BEN, KIM, signInWithAccount } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);
const IN_ORDER = /^:white_check_mark: \*All \d+ settings? (?:is|are) as policy \d+ says\* · 0 unknown/;
/** It is still there in December of any year that this may run in. */
const LAST_DAY = '2099-12-31';

const world = shareAdminWorld({ environment: { AUDIT_USERS: BEN } });
beforeAll(() => world.draft());

const keyOf = (bot: string) => toThresholdKey(bot === 'bot-4' ? MAKERS : PRODUCTION, bot);
const thresholdOf = (bot: string) => world.admin.state.thresholds.get(keyOf(bot));

/** Somebody does it in the console. */
function changeElsewhere(bot: string, values: Partial<Threshold>): void {
  world.admin.state.thresholds.set(keyOf(bot), { ...(thresholdOf(bot) as Threshold), ...values });
}

/** What a message says by now. */
const readAgain = ({ channel, ts }: Message) =>
  world.render(
    world.slack
      .as(KIM)
      .sees(channel)
      .find((message) => message.ts === ts),
  );

const review = async (words = '') => world.render(await world.review(words));

describe('what is decided in Slack', () => {
  it('is what is approved: a limit, a stop, a run, credits are no difference in the next review', async () => {
    const reports: string[] = [await review()];
    for (const command of [
      'limit "Travel Planner" 2000',
      'stop "Travel Planner"',
      'credits "Contoso Production" 26000',
    ]) {
      await world.decide(await world.open(command));
      reports.push(await review());
    }
    await world.decide(await world.open('run "Travel Planner"'));
    reports.push(await review());

    for (const report of reports) expect(report).toMatch(IN_ORDER);
    expect(thresholdOf('bot-2')).toMatchObject({ limit: 2_000, stopResource: false });
  });

  it('stands in the log, which answers who allowed this limit in this month', async () => {
    const month = new Date().toLocaleDateString('sv', { timeZone: 'Asia/Tokyo' }).slice(0, 7);
    const answer = await world.tell(`log travel ${month}`);
    const none = await world.tell('log travel 2025-03');

    expect(answer).toMatch(
      /Travel Planner[\s\S]*limit none → 2,000 credits[\s\S]*policy \d+[\s\S]*@kim[\s\S]*“The pilot grows in spring”/,
    );
    expect(none).toContain('nothing fits');
  });

  it('is refused where two administrators overlap: the later one looks again', async () => {
    const set = await world.decide(await world.open('limit "Travel Planner" 2100'));
    const undo = await world.press(set, 'Undo');
    // Through another window of hers, as another administrator would.
    const other = await world.press(set, 'Undo');
    const first = world.render(await world.decide(other));
    const again = await world.slack
      .as(KIM)
      .submit(undo, {})
      .catch((error: unknown) => String(error));

    expect(first).toMatch(/^✓ .*2,000 credits \(was 2,100 credits\)/);
    expect(typeof again === 'string' || again.error !== undefined || again.sent).toBe(true);
    expect(thresholdOf('bot-2')?.limit).toBe(2_000);
    expect(await review()).toMatch(IN_ORDER);
  });
});

describe('what others do at the service', () => {
  it.each([
    ['undoes a stop', 'bot-4', { stopResource: false }, 'Allow more', /Spec Writer.*stopped → running/],
    ['makes a stop', 'bot-2', { stopResource: true }, 'Allow less', /Travel Planner.*running → stopped/],
    ['raises a limit', 'bot-2', { limit: 9_000 }, 'Allow more', /Travel Planner.*2,000 credits → 9,000 credits/],
    ['takes a notice away', 'bot-2', { notifyIfOverCapacity: false }, 'Allow', /Travel Planner.*notice at 80 % → off/],
  ] as const)('is seen, and set back: %s', async (_what, bot, values, group, row) => {
    const before = thresholdOf(bot);
    changeElsewhere(bot, values);
    const report = await world.review();
    const shown = world.render(report);
    const said = world.render(await world.decide(await world.press(report, 'Set back')));

    expect(shown).toMatch(/^:warning: \*1 of \d+ differs from policy \d+\*/);
    expect(shown).toContain(group);
    expect(shown).toMatch(row);
    expect(said).toMatch(/^✓/);
    await expect.poll(() => readAgain(report)).toMatch(new RegExp(`✓ .*${row.source}`));
    expect(readAgain(report)).not.toContain('Set back');
    expect(thresholdOf(bot)).toEqual(before);
    expect(await review()).toMatch(IN_ORDER);
  });
});

describe('an exception', () => {
  it('is kept until a day, listed, ended, and stays ended when the value comes back', async () => {
    changeElsewhere('bot-2', { limit: 5_000 });
    const report = await world.review();
    const keep = await world.press(report, 'Keep…');
    await world.decide(keep, { until: LAST_DAY, reason: 'Closing of the year' });
    await expect.poll(() => readAgain(report)).toMatch(/✓ .*Travel Planner/);
    const kept = await review();
    const listing = await world.awaitSaid(() => world.tell('policy ending'), /1 exception/);
    const ended = world.render(await world.decide(await world.press(listing, 'End now')));
    const none = await world.tell('policy ending');
    changeElsewhere('bot-2', { limit: 5_000 });
    const again = await review();
    changeElsewhere('bot-2', { limit: 2_000 });

    expect(kept).toMatch(IN_ORDER);
    expect(world.render(listing)).toMatch(
      /Travel Planner.*5,000 credits.*31 Dec 2099.*then 2,000 credits[\s\S]*Closing of the year/,
    );
    expect(ended).toMatch(/^✓ .*2,000 credits \(was 5,000 credits\)/);
    expect(none).toContain('No exception holds');
    expect(again).toMatch(/Allow more \(1\)[\s\S]*2,000 credits → 5,000 credits/);
  });

  it('is set with a limit, and undone', async () => {
    const set = await world.decide(await world.open('limit "Travel Planner" 3000'), { until: LAST_DAY });
    const listed = await world.tell('policy ending');
    const undone = world.render(await world.decide(await world.press(set, 'Undo')));

    expect(world.render(set)).toContain(`until 31 Dec 2099`);
    expect(listed).toMatch(/Travel Planner.*3,000 credits/);
    expect(undone).toMatch(/^✓ .*2,000 credits \(was 3,000 credits\)/);
    expect(await world.tell('policy ending')).toContain('No exception holds');
    expect(await review()).toMatch(IN_ORDER);
  });
});

describe('a new environment', () => {
  it('is first in the review, with who owns it and what it draws on, and one press away from its class', async () => {
    const rules = Object.entries({ Alert: true, TenantPool: true, PayGo: false, Deny: false });
    const enforcementRules = rules.map(([ruleType, enabled]) => ({ ruleType, enabled }));
    world.admin.state.environments.push({ name: 'env-new', displayName: 'Brand new', ownerId: 'owner-9' });
    const currency = { currencyType: CURRENCY, allocated: 0, autoAllocated: 0, enforcementRules };
    world.admin.state.allocations.set('env-new', { environmentId: 'env-new', currencyAllocations: [currency] });
    const report = await world.review();
    const said = world.render(await world.decide(await world.press(report, 'Maker')));

    expect(world.render(report)).toMatch(
      /New environments \(1\)[\s\S]*Brand new\*: draws on the tenant pool · 0 agents · owner owner-9/,
    );
    expect(said).toMatch(/^✓ \*Brand new\*: class maker/);
    expect(await review()).toMatch(IN_ORDER);
    expect(await world.tell('environments pool')).toContain('Brand new');
  });
});

describe('an auditor', () => {
  beforeAll(() => signInWithAccount(world, BEN, 'lee'));

  it('reads the review, the log, the lists and the policy', async () => {
    changeElsewhere('bot-2', { limit: 9_000 });
    const report = world.render(await world.review('', BEN));
    const answers = [];
    for (const command of ['log travel', 'policy', 'policy ending', 'agents travel', 'environments', 'policy export']) {
      answers.push(await world.tell(command, BEN));
    }

    changeElsewhere('bot-2', { limit: 2_000 });

    expect(report).toMatch(/Allow more \(1\)[\s\S]*Travel Planner/);
    expect(answers).toEqual(
      ['Travel Planner', 'Policy', 'No exception', 'Travel Planner', 'Contoso', 'I sent it'].map((text) =>
        expect.stringContaining(text),
      ),
    );
  });

  it('is nobody else: whoever is in neither list is refused', async () => {
    expect(await world.tell('review', ANA)).toContain('Only administrators of this app may use');
    expect(await world.tell('log', ANA)).toContain('Only administrators of this app may use');
  });
});
