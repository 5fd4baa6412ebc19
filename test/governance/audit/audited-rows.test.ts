import { describe, expect, it } from 'vitest';
import { readAuditedRows, readFoundInstead } from '../../../src/governance/audit/audited-rows.ts';
import { ALL_OFF, aCurrency, anAllocation } from '../allocations/samples.ts';
import { aDeployedLimit, anAgentLimit } from '../shell/samples.ts';
import { anEntry } from './samples.ts';

/** As it comes back out of a store. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const tell = (before: unknown, after: unknown) =>
  readAuditedRows(stored({ before, after }))?.map(
    ({ label, before: old, after: next }) => `${label}: ${old} → ${next}`,
  );

describe('what an entry changed', () => {
  it('is told of a limit, without what stayed', () => {
    const after = anAgentLimit({ limit: 2_500, stopWhenReached: true });

    expect(tell(aDeployedLimit({ limit: 1_000 }, 12), after)).toEqual([
      'Monthly limit: 1,000 credits → 2,500 credits',
      'Stop when reached: no → yes',
    ]);
    expect(tell({ source: 'unknown' }, after)).toContain('Monthly limit: unknown → 2,500 credits');
    expect(tell({ source: 'unknown', stopped: true }, after)).toContain('Stopped: yes → no');
    expect(tell(aDeployedLimit(), anAgentLimit())).toEqual([]);
  });

  it('is told of the currencies that changed in an allocation', () => {
    const other = aCurrency({ currencyType: 'AI' }, { Alert: true });
    const before = anAllocation(aCurrency({ allocated: undefined }, { Throttle: 'unknown' }), other);
    const after = anAllocation(aCurrency({ allocated: 5_000 }, { ...ALL_OFF, Deny: true, Throttle: 'unknown' }), other);

    expect(readAuditedRows(stored({ before, after }))?.map(({ currencyType }) => currencyType)).toEqual(
      Array(5).fill('ServiceMessages'),
    );
    expect(tell(before, after)).toContain('Allocated: unknown → 5,000 credits');
    expect(tell(before, after)).toContain('Deny when used up: platform default → on');
  });

  it.each([
    [undefined, undefined],
    [undefined, { classification: 'maker development' }],
    [{ limit: 1 }, { limit: 2 }],
    ['a', 'b'],
  ])('is not made up where it is neither', (before, after) => {
    expect(readAuditedRows({ before, after })).toBeUndefined();
  });
});

describe('what was found instead', () => {
  it('is a limit, or an allocation beside the one that was to be there', () => {
    const limit = aDeployedLimit({ limit: 7 });
    const before = anAllocation(aCurrency({ allocated: 100 }));
    const after = anAllocation(aCurrency({ allocated: 500 }));
    const found = anAllocation(aCurrency({ allocated: 9 }));
    const conflict = (values: object) => stored(anEntry({ outcome: { kind: 'conflict', ...values } }));

    expect(readFoundInstead(conflict({ found: limit }))).toMatchObject({ limit: { limit: { limit: 7 } } });
    const values = stored({ before, after });
    expect(readFoundInstead({ ...conflict({ found, reason: 'after_write' }), ...values })).toEqual(
      stored({ expected: after, allocation: found }),
    );
    expect(readFoundInstead({ ...conflict({ found, reason: 'before_write' }), ...values })).toEqual(
      stored({ expected: before, allocation: found }),
    );
    expect(readFoundInstead({ ...conflict({ found: 'none' }), ...values })).toMatchObject({ allocation: 'none' });
    expect(readFoundInstead(conflict({ found: 'none' }))).toBeUndefined();
    expect(readFoundInstead(anEntry())).toBeUndefined();
  });
});
