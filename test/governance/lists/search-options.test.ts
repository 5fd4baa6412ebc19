import { checkOptionsAnswer } from '@assistant-bridge/sandbox/slack/blocks/check-options.ts';
import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/governance/inventory/inventory.ts';
import {
  buildNote,
  buildOptions,
  buildSearchModal,
  NO_OPTIONS,
  NOTE,
  parseSearchState,
} from '../../../src/governance/lists/inventory-search-views.ts';

const aCandidate = (values: Partial<Candidate> = {}): Candidate => ({
  ...{ key: 'key-1', id: 'agent-1', name: 'Invoice Reader', where: 'Production', comparable: 'invoice reader' },
  ...values,
});

const many = (count: number) => Array.from({ length: count }, (_, index) => aCandidate({ key: `key-${index}` }));

describe('what a search offers', () => {
  it('is the name, where it is, and its id', () => {
    expect(buildOptions({ candidates: [aCandidate()], truncated: false }, 'inv')).toEqual({
      options: [
        {
          text: { type: 'plain_text', text: 'Invoice Reader · Production', emoji: false },
          value: 'key-1',
          description: { type: 'plain_text', text: 'agent-1', emoji: false },
        },
      ],
    });
  });

  it('says in a label, which cannot be picked, that there is more', () => {
    const options = buildOptions({ candidates: many(1_234), truncated: true }, '');

    expect(options).toMatchObject({
      option_groups: [{ label: { text: 'The first 100 of 1,234: type more of the name · Not everything is listed' } }],
    });
    expect('option_groups' in options && options.option_groups[0]?.options).toHaveLength(100);
  });

  it('is nothing where nothing fits, but never where the service may have left it out', () => {
    expect(buildOptions({ candidates: [], truncated: false }, 'x')).toEqual(NO_OPTIONS);
    expect(JSON.stringify(buildOptions({ candidates: [], truncated: true }, 'x'))).toContain('did not list everything');
  });

  it('fits Slack’s limits whatever the names are like', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const candidate = fc.record({
      key: fc.constant('k'),
      id: text,
      name: text,
      where: fc.option(text, { nil: undefined }),
      comparable: fc.constant(''),
    });
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1, maxLength: 120 }), fc.boolean(), (candidates, truncated) => {
        expect(checkOptionsAnswer(JSON.stringify(buildOptions({ candidates, truncated }, '')))).toHaveProperty(
          'answer',
        );
      }),
      { numRuns: 50 },
    );
  });

  it('is a note where there is nothing to offer yet', () => {
    const note = buildNote('Still looking that up…', 'Type again in a moment');

    expect(checkOptionsAnswer(JSON.stringify(note))).toHaveProperty('answer');
    expect(note).toMatchObject({ option_groups: [{ options: [{ value: NOTE }] }] });
  });
});

describe('the search modal', () => {
  it.each(['limit', 'allocation'] as const)('for %s is one that Slack takes, and knows what it is for', (command) => {
    const state = { command, replyTo: 'https://hooks.slack.com/commands/1' };
    const view = buildSearchModal(state);

    expect(checkView({ ...view }, 'modal')).toEqual([]);
    expect(parseSearchState(view.private_metadata ?? '')).toEqual(state);
  });

  it.each(['', '{', '{"command":"limit"}', '{"command":"drop","replyTo":""}'])('is not %s', (text) => {
    expect(parseSearchState(text)).toBeUndefined();
  });
});
