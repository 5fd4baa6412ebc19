import { describe, expect, it } from 'vitest';
import { cutEntries } from '../../../src/governance/register/export-register.ts';

const TEXT = `schema: 1
environments:
  # Asked for by finance.
  # Decided in Slack on 2026-03-04 by U1: Agreed
  - id: ENV-1
    classification: maker-development
    exceptions:
      - { setting: Deny, currency: ServiceMessages, value: off }

  - id: env-2
    allocations: none

  - { id: env-3, allocations: none } # the last
`;

describe('entries cut from a register', () => {
  it('stand as in the file, with the comments above them', () => {
    expect(cutEntries(TEXT, new Set(['env-1']))).toEqual([
      [
        '  # Asked for by finance.',
        '  # Decided in Slack on 2026-03-04 by U1: Agreed',
        '  - id: ENV-1',
        '    classification: maker-development',
        '    exceptions:',
        '      - { setting: Deny, currency: ServiceMessages, value: off }',
      ].join('\n'),
    ]);
  });

  it('are those that are named, in the order of the file', () => {
    expect(cutEntries(TEXT, new Set(['env-3', 'env-2', 'env-9']))).toEqual([
      '  - id: env-2\n    allocations: none',
      '  - { id: env-3, allocations: none } # the last',
    ]);
  });

  it('are none of a text that has none', () => {
    expect(cutEntries('schema: 1\n', new Set(['env-1']))).toEqual([]);
  });
});
