// The README's table of environment variables and the file .env.example, made from the table in src/config.ts:
// `node scripts/configuration-table.ts` writes both; a test holds them together.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../src/config.ts';

const README = fileURLToPath(new URL('../README.md', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../.env.example', import.meta.url));
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

const HEAD = `# The configuration. Copy this file to .env, and replace what is in <…>. Lines that begin with # are comments: the
# variables in them have the value that counts without them, or none.
#
# The app, the doctor and the audit script read .env from the folder they are started in. What the environment of the
# process has already counts more than this file.
#
# One NAME=value a line. Put a value in single quotes where it has a #, a $, a quote, a backslash, or a space at its
# beginning or end; everything in single quotes is taken as it is, line ends included, as in a certificate. A value that
# has a single quote in it goes in double quotes, where Node makes a line break of \\n; one with both kinds of quotes goes
# in backticks (\`). $NAME stays $NAME everywhere. A comment behind a value has a space on both sides of its #.
`;

/** What one installation in one workspace begins with. Everything else is a comment. */
const PLACEHOLDERS: Partial<Record<keyof typeof VARIABLES, string>> = {
  SLACK_SIGNING_SECRET: '<signing secret>',
  SLACK_BOT_TOKEN: '<xoxb-…>',
  SLACK_CLIENT_ID: '<client id>',
  SLACK_CLIENT_SECRET: '<client secret>',
  PUBLIC_URL: '<https://bridge.example.com>',
  ENCRYPTION_KEYS: '<k1:… of: openssl rand -base64 32>',
  ASSISTANT_BASE_URL: '<https://assistant.example.com>',
  ASSISTANT_SCOPE: '<api://assistant.example.com/Agent.Ask>',
  AUTH_URL: '<https://login.example.com>',
  AUTH_TENANT_ID: '<tenant>',
  AUTH_CLIENT_ID: '<client id>',
  AUTH_CLIENT_SECRET: '<client secret>',
};

/** `.env.example` as it should be. */
export function buildExample(): string {
  const blocks = Object.entries(VARIABLES).map(([name, variable]) => {
    const placeholder = PLACEHOLDERS[name as keyof typeof VARIABLES];
    const value = placeholder ?? ('default' in variable ? variable.default : '');
    const mark = 'required' in variable ? 'Required. ' : '';
    return [...wrap(`${mark}${variable.meaning}`), `${placeholder ? '' : '# '}${name}=${value}`].join('\n');
  });
  return `${HEAD}\n${blocks.join('\n\n')}\n`;
}

const WIDTH = 118;

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}

if (import.meta.main) {
  writeFileSync(README, withTable(readFileSync(README, 'utf8')));
  writeFileSync(EXAMPLE, buildExample());
}
