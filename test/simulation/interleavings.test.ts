import fc from 'fast-check';
import { describe, it } from 'vitest';
import { anyOrder } from './interleavings.ts';

describe('what happens at once', () => {
  it('keeps every promise in any order', async () => {
    await fc.assert(anyOrder, { numRuns: 60 });
  });
});
