import { describe, expect, it } from 'vitest';
import { PermanentError } from '../../src/errors.ts';
import { readRecord } from '../../src/storage/record.ts';

describe('a record', () => {
  it.each([0, 1, 2])('of schema %i is read by a release that writes 1, with all its fields', (schema) => {
    const record = { schema, known: 1, unknown: { to: 'us' } };

    expect(readRecord('turn', JSON.stringify(record))).toEqual(record);
  });

  it('of a release after the next is refused', () => {
    const read = () => readRecord('turn', JSON.stringify({ schema: 3 }));

    expect(read).toThrow(PermanentError);
    expect(read).toThrow('start the release that wrote it');
  });
});
