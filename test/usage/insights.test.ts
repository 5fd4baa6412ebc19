import { describe, expect, it } from 'vitest';
import { buildInsightsMessage, insightsCommand } from '../../src/governance/lists/insights-message.ts';
import type { Content } from '../../src/slack/views/content.ts';
import { toInsights } from '../../src/usage/insights.ts';
import type { Usage } from '../../src/usage/usage.ts';

const USAGE: Usage = {
  counts: {
    ...{ questions: 100, channel: 60, direct: 40, web_off: 10, web_on: 90 },
    ...{ 'result:answer': 80, 'result:stopped': 4, 'result:guest': 3, 'result:forbidden': 7, 'result:rejected': 3 },
    ...{ 'result:too_long': 3 },
    ...{ 'seconds:4': 50, 'seconds:10': 26, 'seconds:more': 4 },
    ...{ 'sign_in:prompted': 30, 'sign_in:started': 22, 'sign_in:finished': 12 },
    ...{ 'feedback:good': 20, 'feedback:bad': 6 },
  },
  people: {
    ...{ questions: 20, channel: 15, direct: 9, web_off: 5, web_on: 19 },
    ...{ 'result:answer': 18, 'result:stopped': 4, 'result:guest': 3, 'result:forbidden': 5, 'result:rejected': 1 },
    ...{ 'result:too_long': 2 },
    ...{ 'sign_in:prompted': 12, 'sign_in:started': 11, 'sign_in:finished': 10 },
    ...{ 'feedback:good': 12, 'feedback:bad': 4 },
  },
  firstDay: 20_000,
};

type Counts = Record<string, number | undefined>;

/** Undefined: it was never counted. */
function change(counts: Usage['counts'], by: Counts = {}): Usage['counts'] {
  return Object.fromEntries(Object.entries({ ...counts, ...by }).filter(([, count]) => count !== undefined));
}

describe('insights', () => {
  const NOBODY_REFUSED = { 'result:guest': 0 };

  it.each<[string, { counts?: Counts; people?: Counts }, object]>([
    [
      'are sums and shares',
      {},
      {
        ...{ askers: 20, questions: 100, inChannels: 0.6, webOff: 0.1 },
        outcomes: { answered: 0.8, failed: 0.13 },
        seconds: { half: 4, most: 10 },
        signIn: { prompted: 12, started: 11, finished: 10 },
      },
    ],
    [
      'hide what is about fewer than five people',
      {},
      {
        outcomes: { stopped: 'few', refused: 'few' },
        failures: { kinds: [['forbidden', 7]], hidden: true },
        feedback: { good: 20, bad: 'few' },
      },
    ],
    ['hide both where one of two would tell the other', { people: { direct: 4 } }, { inChannels: 'few' }],
    ['hide who left web search on where nearly all turned it off', { people: { web_on: 4 } }, { webOff: 'few' }],
    [
      'hide the next smallest outcome where 100 % minus the others would tell the hidden one',
      { counts: { 'result:guest': 5 }, people: { 'result:guest': 5 } },
      { outcomes: { answered: 0.8, stopped: 'few', refused: 'few', failed: 0.13 } },
    ],
    [
      'never hide with it what is nothing',
      { counts: NOBODY_REFUSED },
      { outcomes: { answered: 0.8, stopped: 'few', refused: 0, failed: 'few' } },
    ],
    [
      'hide the next smallest kind of failure where the share that failed would tell the hidden one',
      { counts: { 'result:rejected': undefined } },
      { failures: { kinds: [], hidden: true } },
    ],
    [
      'hide the kinds of failures where the share that failed is hidden: their sum would tell it',
      { counts: NOBODY_REFUSED },
      { failures: { kinds: [], hidden: true } },
    ],
    [
      'say that something is slow where it is',
      { counts: { 'seconds:4': 0, 'seconds:10': 0, 'seconds:600': 1, 'seconds:more': 9 } },
      { seconds: { half: 'more', most: 'more' } },
    ],
  ])('%s', (_, { counts, people }, shown) => {
    const usage = { ...USAGE, counts: change(USAGE.counts, counts), people: change(USAGE.people, people) };

    expect(toInsights(usage)).toMatchObject(shown);
  });

  it('tell nothing at all where fewer than five people asked', () => {
    const people = { ...USAGE.people, questions: 4 };

    expect(toInsights({ ...USAGE, people })).toBeUndefined();
    expect(toText(buildInsightsMessage({ ...USAGE, people }, 30))).not.toMatch(/\d+ %|100/);
  });

  it('are said in words', () => {
    const text = toText(buildInsightsMessage(USAGE, 30));

    expect(text).toContain('the last 30 days');
    expect(text).toContain('*Askers*: 20');
    expect(text).toContain('*How they ended*: answered 80 %');
    expect(text).toContain('*Why they failed*: account refused by the service 7, other kinds _hidden_');
    expect(text).toContain('half within 4 s, 95 % within 10 s');
    expect(text).toContain('prompted 12, started 11, finished 10');
    expect(text).toContain('The first day counted is 2024-10-04.');
  });

  it.each([
    ['', 30],
    ['7', 7],
    ['90 days', 90],
    ['30', 30],
    ['1', undefined],
    ['8', undefined],
    ['91', undefined],
    ['all', undefined],
  ])('look back over 7, 30 or 90 days, whose differences are no single day: %j', async (typed, days) => {
    const asked: number[] = [];
    const said: Content[] = [];
    const usage = {
      async read(_: string, since: number) {
        asked.push(since);
        return USAGE;
      },
    };
    const say = async (content: Content) => said.push(content) > 0;
    const caller = { team: 'T1', workspace: 'T1', user: 'U0KIM' };

    const services = { usage, now: () => 100 * 86_400_000 } as never;
    const work = insightsCommand(typed, services);
    if ('run' in work) await work.run({ caller, say } as never);

    expect(asked).toEqual(days === undefined ? [] : [101 - days]);
    expect(said).toHaveLength(1);
  });
});

function toText({ blocks }: Content): string {
  return JSON.stringify(blocks);
}
