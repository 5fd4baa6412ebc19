import { describe, expect, it } from 'vitest';
import { diffReviews } from '../../../src/governance/review/review-diff.ts';
import type { Review } from '../../../src/governance/review/review-summary.ts';
import { type OwnerItem, toFindingItems } from '../../../src/governance/scheduled-review/consumption-levels.ts';
import { buildOwnerMessage } from '../../../src/governance/scheduled-review/owner-message.ts';
import { buildReviewMessage, type ReviewNotes } from '../../../src/governance/scheduled-review/review-messages.ts';
import { type ReviewNews, toNews } from '../../../src/governance/scheduled-review/review-news.ts';
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
import { findMessageProblems, readTexts } from '../shell/limit-samples.ts';

const NO_NOTES: ReviewNotes = {
  isTruncated: false,
  unreached: [],
  leftOut: 0,
  lacksAddresses: false,
  unreadLevels: 0,
  isLimitsUnread: false,
};

/** With our own bold around it, it would read: Lab is *in order*. */
const DRESSED_UP = 'Lab* is *in order';

const ZONE = { timeZone: 'Europe/Berlin' };

/** So many environments, all of which drifted in every way since the last review. */
async function aDriftingTenant(
  count: number,
  displayName = 'Lab',
): Promise<{ review: Review; news: ReviewNews; items: OwnerItem[] }> {
  const names = Array.from({ length: count }, (_, index) => `env-${String(index).padStart(4, '0')}`);
  const world = aWorld({
    environments: names.map((name) => anEnvironment({ name, displayName })),
    agents: [],
    register: aRegister({ environments: names.map((id) => aRegisteredEnvironment({ id })) }),
  });
  const { snapshot } = diffReviews(undefined, await reviewWorld(world));
  const rules = { Alert: false, TenantPool: true, PayGo: true, Deny: false };
  for (const name of names) {
    world.allocations.set(name, { ...anAllocation(aCurrency({ rules, allocated: 9_999_999 })), environmentId: name });
  }
  const review = await reviewWorld(world);
  const diff = diffReviews(snapshot, review);
  return { review, news: toNews(diff, review), items: toFindingItems(diff, review) };
}

describe('the message for the channel', () => {
  it('names the first dozen, counts the rest, and says where all of it is', async () => {
    const { review, news } = await aDriftingTenant(40);

    const text = readTexts(buildReviewMessage({ review, news, notes: NO_NOTES }, ZONE));

    expect(text).toContain('40 new findings');
    expect(text.match(/• :rotating_light: \*Lab\*/g)).toHaveLength(12);
    expect(text).toContain('And 28 more: 28 on the tenant pool. `/assistant-admin review` shows all of it.');
    expect(text).toMatch(
      /\*Lab\*: drift\n {6}Draws? on the tenant pool \(ServiceMessages\): approved off → found \*on\* · looser/,
    );
  });

  it.each([
    ['less and more than', '<&>'.repeat(500)],
    ['what is five times as long when it is escaped', '&'.repeat(116)],
  ])('is one that Slack takes, however much there is, and of %s', async (_, hostile) => {
    const { review, news } = await aDriftingTenant(100, `<!channel> &*_~\`${hostile}`);
    const notes = {
      isTruncated: true,
      unreached: Array.from({ length: 500 }, (_, index) => `${index}${hostile}`),
      leftOut: 4_000,
      lacksAddresses: true,
      unreadLevels: 2_000,
      isLimitsUnread: true,
    };
    const all = { ...news, isRegisterChanged: true, gone: 12_345, resolved: news.items.map(({ finding }) => finding) };

    const message = buildReviewMessage({ review, news: all, notes }, ZONE);

    expect(findMessageProblems(message)).toEqual([]);
    expect(readTexts(message)).toContain('No owner could be told about');
    expect(readTexts(message)).not.toContain('<!channel>');
    expect(JSON.stringify(message).length).toBeLessThan(40_000);
  });

  it('has no name in it that could pass for words of ours', async () => {
    const { review, news } = await aDriftingTenant(1, DRESSED_UP);
    const unreached = [DRESSED_UP];

    const text = readTexts(buildReviewMessage({ review, news, notes: { ...NO_NOTES, unreached } }, ZONE));

    expect(text).toContain('Lab∗ is ∗in order');
    expect(text).not.toContain('Lab* is *in order');
  });

  it('of no news says what is still not in order', async () => {
    const { review, news } = await aDriftingTenant(3);
    const none = { ...news, items: [], resolved: [], gone: 0 };

    const text = readTexts(buildReviewMessage({ review, news: none, notes: NO_NOTES }, ZONE));

    expect(text).toContain('nothing has changed');
    expect(text).toContain('Still not in order: 3 findings.');
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

  it.each([
    [80, 850, 'has used 80 % of its credits (ServiceMessages): 850 of 1,000 credits, as of 4 Mar 2026, 14:05'],
    [100, 1_000, 'has used up its credits (ServiceMessages): 1,000 of 1,000 credits, as of 4 Mar 2026, 14:05'],
  ] as const)('tells of the level of %d %%, with the time of the figures', async (level, consumed, words) => {
    const { review } = await aDriftingTenant(1, 'Sales');
    const finding = review.environments[0]?.environment;
    if (!finding) throw new Error('there is no environment');
    const used = { finding, environmentName: undefined, currency: 'ServiceMessages', stopsWhenReached: undefined };
    const item: OwnerItem = { kind: 'level', ...used, level, consumed, capacity: 1_000, asOf: NOW };

    expect(readTexts(buildOwnerMessage([item], FROM))).toContain(`*Sales* ${words}`);
  });
});
