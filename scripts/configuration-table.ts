// The table of environment variables in docs/configuration.md and the file .env.example, made from src/config.ts:
// `node scripts/configuration-table.ts` writes both, and a test checks that they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SECRETS, VARIABLES } from '../src/config-variables.ts';

const PAGE = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../.env.example', import.meta.url));
const BEGIN = '<!-- configuration: made by scripts/configuration-table.ts -->';
const END = '<!-- /configuration -->';

/** The page with an up-to-date table. Throws if the page has no place for it. */
export function withTable(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end === -1) throw new Error(`the page has no place for the table: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n${buildTable()}\n${page.slice(end)}`;
}

function buildTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, variable]) => {
    const preset = 'default' in variable ? variable.default && `\`${variable.default}\`` : undefined;
    const inFile = 'isSecret' in variable ? ' (or `…_FILE`)' : '';
    return `| \`${name}\`${inFile} | ${preset ?? ('required' in variable ? '**required**' : '')} | ${variable.meaning} |`;
  });
  return ['| name | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

const HEAD = `# The configuration. Copy this file to .env, and replace what is in <…>. A line that is commented out shows a variable
# with its default, or with nothing if it has none.
#
# The app, the doctor and the scripts for backups and the audit log read .env from the folder they are started in. A
# variable that is set in the environment takes precedence.
#
# One NAME=value per line. Put a value in single quotes if it has a #, a $, a quote, a backslash, or a space at its
# beginning or end. In single quotes everything is kept as it is, line breaks included, as in a certificate. A value with
# a single quote in it goes in double quotes, where Node reads \\n as a line break; a value with both kinds of quotes goes
# in backticks (\`). $NAME is never replaced. A comment after a value needs a space before and after its #.
#
# A secret may be in a file of its own, as Docker and Kubernetes mount them: NAME_FILE is the path of the file with the
# value of NAME. These may: ${SECRETS.join(', ')}.
`;

/** The variables that an app for one workspace needs. All others are commented out. */
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

/** An up-to-date `.env.example`. */
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
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8')));
  writeFileSync(EXAMPLE, buildExample());
}
