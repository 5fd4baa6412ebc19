// The form of *Classify many…*, and the ticks of settings.
import { describe, expect, it } from 'vitest';
import { readClassifyMany } from '../../../src/governance/bulk/classify-many-views.ts';
import { readTicks } from '../../../src/governance/review-actions/settings-form.ts';

const choose = (option: string) => ({ value: { selected_option: { value: option } } });
const list = (...values: string[]) => ({ value: { selected_options: values.map((value) => ({ value })) } });

describe('the form for many', () => {
  it('takes what is chosen in all its menus', () => {
    const values = {
      ...{ which: choose('all_but'), environments_0: list('1', '2'), environments_1: list('100') },
      ...{ classification: choose('funded-production'), approved_credits: choose('found') },
    };

    expect(readClassifyMany(values)).toEqual({
      answer: {
        ...{ which: 'all_but', chosen: [1, 2, 100], classification: 'funded-production' },
        ...{ credits: { source: 'found' }, unnamedAgents: undefined },
      },
    });
  });

  it.each([
    ['82.5', 82.5],
    ['1,234,567.25', 1_234_567.25],
    ['9000000000', 9_000_000_000],
  ])('takes a limit with a fraction, and a large one: %s', (typed, monthlyLimit) => {
    const values = { classification: choose('funded-production'), agent_limit: { value: { value: typed } } };

    expect(readClassifyMany(values)).toMatchObject({ answer: { unnamedAgents: { monthlyLimit } } });
  });

  it('takes no limit that can mean two things', () => {
    const values = { classification: choose('funded-production'), agent_limit: { value: { value: '1.000' } } };

    expect(readClassifyMany(values)).toEqual({ errors: { agent_limit: expect.stringContaining('a thousand times') } });
  });

  it('says at its fields what is missing', () => {
    const values = { which: choose('only'), environments_0: list(), approved_credits: choose('stated') };

    expect(readClassifyMany(values)).toEqual({
      errors: {
        environments_0: 'Choose one of them at least.',
        classification: 'Choose what these environments are.',
        credits: expect.stringContaining('Enter the credits to allocate'),
      },
    });
  });
});

describe('the ticks of settings', () => {
  it('mean all where the form asked nothing, and one at least where it did', () => {
    expect(readTicks({})).toEqual({ answer: undefined });
    expect(readTicks({ settings_0: list('a'), settings_1: list('b') })).toEqual({ answer: ['a', 'b'] });
    expect(readTicks({ settings_0: list(), settings_1: list() })).toEqual({
      errors: { settings_0: 'Tick one of them at least.' },
    });
  });
});
