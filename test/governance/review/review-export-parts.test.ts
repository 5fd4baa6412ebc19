import { describe, expect, it } from 'vitest';
import { toParts } from '../../../src/governance/review/export-command.ts';

describe('the parts of an export', () => {
  it('are cut between lines, and never within one', () => {
    const lines = Array.from({ length: 400 }, (_, index) => `- ${String(index).repeat(5)}`);
    lines.splice(200, 0, `# ${'long '.repeat(2_000)}end`);

    const parts = toParts(lines.join('\n'));

    expect(parts.join('\n').split('\n')).toEqual(lines);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.filter(({ length }) => length > 3_800)).toEqual([lines[200]]);
  });
});
