import { describe, expect, it } from 'vitest';
import { diffReviews } from '../../../src/governance/review/review-diff.ts';
import { type Review, summarize } from '../../../src/governance/review/review-summary.ts';
import { type OwnerItem, toFindingItems } from '../../../src/governance/scheduled-review/owner-items.ts';
import { buildOwnerMessage } from '../../../src/governance/scheduled-review/owner-message.ts';
import { buildReviewMessage, type ReviewNotes } from '../../../src/governance/scheduled-review/review-messages.ts';
import { type ReviewNews, toNews } from '../../../src/governance/scheduled-review/review-news.ts';
import type { Untold, UntoldReason } from '../../../src/governance/scheduled-review/untold.ts';
import { findButtons, findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { aToldAgentFinding } from '../review/review-samples.ts';
import {
  aCurrency,
  anAllocation,
  anEnvironment,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  NOW,
  reviewWorld,
} from '../review/review-world.ts';

const NO_NOTES: ReviewNotes = {
  isTruncated: false,
  untold: [],
  leftOut: 0,
  lacksAddresses: false,
  unreadLevels: 0,
  isLimitsUnread: false,
};

/** With our own bold around it, it would read: Lab is *in order*. */
const DRESSED_UP = 'Lab* is *in order';

const REASONS: UntoldReason[] = [
  'unknown',
  'not_signed_in',
  'no_member',
  'lacks_scope',
  'slack_failed',
  'no_owner',
  'refused',
  'not_taken',
];

const REPORT = { id: 'abc' };

const ZONE = { timeZone: 'Europe/Berlin' };

/** So many environments, all of which drifted in every way since the last review: by `step` more credits each. */
async function aDriftingTenant(
  count: number,
  displayName = 'Lab',
  step = 1,
): Promise<{ review: Review; news: ReviewNews; items: OwnerItem[] }> {
  const names = Array.from({ length: count }, (_, index) => `env-${String(index).padStart(4, '0')}`);
  const world = aWorld({
    environments: names.map((name) => anEnvironment({ name, displayName })),
    agents: [],
    register: aRegister({ environments: names.map((id) => aRegisteredEnvironment({ id })) }),
  });
  const { snapshot } = diffReviews(undefined, await reviewWorld(world));
  const rules = { Alert: false, TenantPool: true, PayGo: true, Deny: false };
  for (const [index, name] of names.entries()) {
    const allocated = 9_999_999 - index * step;
    world.allocations.set(name, { ...anAllocation(aCurrency({ rules, allocated })), environmentId: name });
  }
  const review = await reviewWorld(world);
  const diff = diffReviews(snapshot, review);
  return { review, news: toNews(diff, review), items: toFindingItems(diff, review) };
}

describe('the message for the channel', () => {
  it('names the first dozen, counts the rest, and says where all of it is', async () => {
    const { review, news } = await aDriftingTenant(40);

    const text = readTexts(buildReviewMessage({ review, news, notes: NO_NOTES, report: REPORT }, ZONE));

    expect(text).toContain('40 new findings');
    expect(text.match(/• :rotating_light: \*Lab\*/g)).toHaveLength(12);
    expect(text).toContain('And 28 more: 28 on the tenant pool. *Open the report* shows all of it.');
    expect(text).toMatch(
      /\*Lab\*: drift\n {6}Draws? on the tenant pool \(ServiceMessages\): approved off → found \*on\* · allows more/,
    );
  });

  it('says once what is the same of many, with the names of the first few', async () => {
    const { review, news } = await aDriftingTenant(200, 'Lab', 0);
    const items = news.items.map((item, index) => ({ ...item, finding: { ...item.finding, name: `Lab ${index}` } }));
    const message = buildReviewMessage({ review, news: { ...news, items }, notes: NO_NOTES, report: REPORT }, ZONE);

    const text = readTexts(message);

    expect(text).toContain('• :rotating_light: *200 environments*: drift\n');
    expect(text).toContain('\n      *Lab 0*, *Lab 1*, *Lab 2*, *Lab 3*, *Lab 4* and 195 more\n');
    expect(text.match(/found \*/g)).toHaveLength(3);
    expect(text.split('\n').length).toBeLessThan(15);
  });

  it('has a button that opens the report', async () => {
    const { review, news } = await aDriftingTenant(1);

    const [button] = findButtons(buildReviewMessage({ review, news, notes: NO_NOTES, report: REPORT }, ZONE).blocks);

    expect(button).toMatchObject({ action_id: 'admin_review_open', text: { text: 'Open the report' } });
    expect(JSON.parse(button?.value ?? '')).toEqual({ report: 'abc', page: 0, key: '' });
  });

  it('shows all differences of a few findings, and of many the one that matters most', async () => {
    const [few, many] = [await aDriftingTenant(4), await aDriftingTenant(200)];
    const read = ({ review, news }: typeof few) =>
      readTexts(buildReviewMessage({ review, news, notes: NO_NOTES, report: REPORT }, ZONE));

    expect(read(few).match(/approved .* → found/g)).toHaveLength(12);
    expect(read(many).match(/approved .* → found .* · allows more, and 4 more differences\n/g)).toHaveLength(12);
    expect(read(many).split('\n').length).toBeLessThan(40);
  });

  it.each([
    ['less and more than', '<&>'.repeat(500)],
    ['what is five times as long when it is escaped', '&'.repeat(116)],
  ])('is one that Slack takes, however much there is, and of %s', async (_, hostile) => {
    const { review, news } = await aDriftingTenant(100, `<!channel> &*_~\`${hostile}`);
    const notes = {
      isTruncated: true,
      untold: REASONS.flatMap((reason) =>
        Array.from({ length: 60 }, (_, index) => ({ name: `${reason}${index}${hostile}`, percent: 1e9, reason })),
      ),
      leftOut: 4_000,
      lacksAddresses: true,
      unreadLevels: 2_000,
      isLimitsUnread: true,
    };
    const all = { ...news, isRegisterChanged: true, gone: 12_345, resolved: news.items.map(({ finding }) => finding) };

    const message = buildReviewMessage({ review, news: all, notes, report: REPORT }, ZONE);

    expect(findMessageProblems(message)).toEqual([]);
    expect(readTexts(message)).toContain('No owner could be told about');
    expect(readTexts(message)).not.toContain('<!channel>');
    expect(JSON.stringify(message).length).toBeLessThan(40_000);
  });

  it('has no name in it that could pass for words of ours', async () => {
    const { review, news } = await aDriftingTenant(1, DRESSED_UP);
    const untold: Untold[] = [{ name: DRESSED_UP, reason: 'no_owner' }];

    const text = readTexts(buildReviewMessage({ review, news, notes: { ...NO_NOTES, untold }, report: REPORT }, ZONE));

    expect(text).toContain('Lab∗ is ∗in order');
    expect(text).not.toContain('Lab* is *in order');
  });

  it('of no news says what is still not in order', async () => {
    const { review, news } = await aDriftingTenant(3);
    const none = { ...news, items: [], resolved: [], gone: 0 };

    const text = readTexts(buildReviewMessage({ review, news: none, notes: NO_NOTES, report: REPORT }, ZONE));

    expect(text).toContain('nothing has changed');
    expect(text).toContain('Still not in order: 3 findings.');
  });

  it('of no news but what no owner could be told says so first', async () => {
    const { review, news } = await aDriftingTenant(1);
    const none = { ...news, items: [], resolved: [], gone: 0 };
    const untold: Untold[] = [
      { name: 'Lab', reason: 'no_owner' },
      { name: 'Lab', percent: 104, reason: 'no_owner' },
      { name: 'Shop', percent: 130, reason: 'no_owner' },
      { name: 'Bot in Shop', percent: 86, reason: 'refused' },
    ];

    const { text, blocks } = buildReviewMessage(
      { review, news: none, notes: { ...NO_NOTES, untold }, report: REPORT },
      ZONE,
    );

    expect(text).toContain('nothing has changed, but owners could not be told about 3 environments or agents.');
    const lines = readTexts(blocks).split('\n');
    expect(lines.filter((line) => /^(No|An) owner/.test(line))).toEqual([
      'No owner could be told about *Shop* (130 % used), *Lab* (104 % used): neither the register nor the service names one. Name one in the register.',
      'An owner could not be told about *Bot in Shop* (86 % used): Slack refused the message to them. Tell them yourself, or name somebody else in the register.',
    ]);
  });
});

describe('the message for an owner', () => {
  const FROM = { askUser: 'UKIM', timeZone: 'Europe/Berlin' };

  it('says what was approved, what was found, what it means and whom to ask', async () => {
    const { items } = await aDriftingTenant(1, 'Sales');

    const text = readTexts(buildOwnerMessage(items, FROM));

    expect(text).toContain('*Sales* is not as approved:');
    expect(text).toContain('Allocated credits (ServiceMessages): approved 0 → found *9,999,999*');
    expect(text).toContain('It may use credits of the whole tenant that nobody reserved.');
    expect(text).toContain('write to <@UKIM>');
  });

  it('is one that Slack takes, however much is theirs, and whatever names are like', async () => {
    const { items } = await aDriftingTenant(60, '<!here> &'.repeat(400));

    const message = buildOwnerMessage(items, FROM);

    expect(findMessageProblems(message)).toEqual([]);
    expect(readTexts(message)).toContain('… and 48 more of yours.');
    expect(readTexts(message)).not.toContain('<!here>');
  });

  it('has no name in it that could pass for words of ours', async () => {
    const { items } = await aDriftingTenant(1, DRESSED_UP);

    const text = readTexts(buildOwnerMessage(items, FROM));

    expect(text).toContain('*Lab∗ is ∗in order* is not as approved:');
  });

  const AS_OF = ', as of 4 Mar 2026, 14:05';

  it.each([
    [80, 850, `has used 85 % of its credits (ServiceMessages), past the level of 80 %: 850 of 1,000 credits${AS_OF}`],
    [80, 800, `has used 80 % of its credits (ServiceMessages): 800 of 1,000 credits${AS_OF}`],
    [
      80,
      999.9,
      `has used 99 % of its credits (ServiceMessages), past the level of 80 %: 999.9 of 1,000 credits${AS_OF}`,
    ],
    [100, 1_000, `has used up its credits (ServiceMessages): 1,000 of 1,000 credits${AS_OF}`],
    [100, 1_049, `has used up its credits (ServiceMessages): 1,049 of 1,000 credits (104 %)${AS_OF}`],
    [
      120,
      1_250,
      `has used up its credits (ServiceMessages), past the level of 120 %: 1,250 of 1,000 credits (125 %)${AS_OF}`,
    ],
  ] as const)('tells of the level of %d %%, with the true figure and its time', async (level, consumed, words) => {
    const { review } = await aDriftingTenant(1, 'Sales');
    const finding = review.environments[0]?.environment;
    if (!finding) throw new Error('there is no environment');
    const used = { finding, environmentName: undefined, currency: 'ServiceMessages', stopsWhenReached: undefined };
    const item: OwnerItem = { kind: 'level', ...used, level, lowerLevels: [], consumed, capacity: 1_000, asOf: NOW };

    expect(readTexts(buildOwnerMessage([item], FROM))).toContain(`*Sales* ${words}`);
  });

  it('says that all is as approved only as far as the service tells, where it shows no limits', async () => {
    const { news, review: drifting } = await aDriftingTenant(1);
    const none = { ...news, items: [], resolved: [], gone: 0 };
    const gaps = { environments: undefined, agents: undefined };
    const review = { ...drifting, summary: summarize([aToldAgentFinding()], gaps, 0) };
    const told = (isFirst: boolean) =>
      buildReviewMessage({ review, news: { ...none, isFirst }, notes: NO_NOTES, report: REPORT }, ZONE);

    expect(told(true).text).toBe(
      ':white_check_mark: *First scheduled review*: everything is as approved, as far as the service tells.',
    );
    expect(told(false).text).toBe('*Scheduled review*: everything is as approved, as far as the service tells.');
    expect(readTexts(told(false))).toContain(
      'The service does not show these limits: 1 agent set from here as approved',
    );
    expect(readTexts(told(false))).toContain('0 environments and 1 agent, 1 of them as approved');
  });
});
