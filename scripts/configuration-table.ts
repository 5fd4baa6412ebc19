// The README's table of environment variables, made from the one in src/config.ts: `node scripts/configuration-table.ts`
// writes it into the README; a test holds the two together.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../src/config.ts';

const README = fileURLToPath(new URL('../README.md', import.meta.url));
const BEGIN = '<!-- configuration: made by scripts/configuration-table.ts -->';
const END = '<!-- /configuration -->';

/** The README with the table as it should be. */
export function withTable(readme: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin === -1 || end === -1) throw new Error(`the README has no place for the table: ${BEGIN} … ${END}`);
  return `${readme.slice(0, begin)}${BEGIN}\n${buildTable()}\n${readme.slice(end)}`;
}

function buildTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, variable]) => {
    const preset = 'default' in variable ? variable.default && `\`${variable.default}\`` : undefined;
    return `| \`${name}\` | ${preset ?? ('required' in variable ? '**required**' : '')} | ${variable.meaning} |`;
  });
  return ['| name | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

if (import.meta.main) writeFileSync(README, withTable(readFileSync(README, 'utf8')));
