import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withTable } from '../scripts/configuration-table.ts';

it('the README’s table of environment variables is the one in config.ts', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

  expect(readme).toBe(withTable(readme));
});
