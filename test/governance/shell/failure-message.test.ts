import { describe, expect, it } from 'vitest';
import { LockBusyError, StoreUnavailableError } from '../../../src/errors.ts';
import { toFailureSentence } from '../../../src/governance/shell/failure-message.ts';
import { createLog } from '../../../src/log.ts';

describe('where the store stops the work', () => {
  const log = createLog('silent');

  it('it is said that nothing was done', () => {
    expect(toFailureSentence(new StoreUnavailableError('it is full'), log)).toContain('Nothing was done');
  });

  it('it is not said so of what somebody else is at work on: that goes on', () => {
    const sentence = toFailureSentence(new LockBusyError('held for more than 15000 ms'), log);

    expect(sentence).toContain('This change, or another one of the same thing, is being carried out already.');
    expect(sentence).not.toContain('Nothing was done');
  });
});
