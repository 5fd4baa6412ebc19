import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SECRETS, VARIABLES } from '../src/config-variables.ts';
import { toBotScopes } from '../src/slack/installations/bot-scopes.ts';
import { isCertificateCode } from '../src/tls-fault.ts';
import { USAGE_DAYS } from '../src/usage/usage.ts';
import { aMetrics } from './ops/a-metrics.ts';
import { createMemoryStore } from './storage/memory-store.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const docs = readdirSync(join(ROOT, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs].map((file) => ({ file, text: read(file) }));
const packageFile = JSON.parse(read('package.json'));

/** The tables of docs/troubleshooting.md whose second column has lines of the log. */
const IN_THE_LOG = ['Answers', 'Sign-in', 'Slack', 'Store, network and processes', 'For administrators'];

/** Variables that Node reads, not the app. */
const OTHER_NAMES = [
  'NODE_OPTIONS',
  'NODE_USE_SYSTEM_CA',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  ...SECRETS.map((name) => `${name}_FILE`),
];

/** Words of a row in docs/security.md about what is stored, and of how long it says. */
type Told = [what: string, howLong: string];

/** Each part of the store. */
const KINDS: Record<string, Told> = {
  turns: ['How a question ended', '30 days'],
  threads: ['Which thread belongs', '`RETENTION_DAYS` (180)'],
  links: ["A person's tokens", '`LINK_RETENTION_DAYS` (90)'],
  audit: ['The audit log', '3 years'],
  policy: ['The policy', 'Until it is changed'],
  runs: ['A run:', '90 days'],
  approvals: ['A request for approval', '90 days'],
  sent: ['What was last sent of each limit', '3 years'],
  known: ['The inventory', '30 days'],
  installations: ['The bot token', 'Until the app is uninstalled'],
  caps: ['How many questions somebody asked today', 'An hour after the day'],
  usage: ['Counts of questions', '92 days'],
  schedules: ['A scheduled question', 'Until they end it'],
  consumption: ['How many credits', '124 days'],
};

/** Who does what, so that nobody does it twice: ids and marks, kept for three days at most. */
const IDS_ALONE: Told = ['', ''];

/** Each file that keeps something for a while. */
const KEPT_FOR_A_WHILE: Record<string, Told> = {
  'backend/records.ts': IDS_ALONE,
  'backend/sealed-store.ts': IDS_ALONE,
  'backend/store.ts': IDS_ALONE,
  'governance/review/kept-review.ts': ['A review', 'A week'],
  'governance/review/review-command.ts': IDS_ALONE,
  'governance/schedule/record-consumption.ts': IDS_ALONE,
  'governance/schedule/schedule-state.ts': ['The state of the scheduled review', '2 years'],
  'governance/schedule/slack-send.ts': IDS_ALONE,
  'governance/shell/modal-state.ts': ['What a form of an administrator shows', '12 hours'],
  'governance/shell/waiting-commands.ts': ['What a form of an administrator shows', '12 hours'],
  'identity/directory.ts': ['A digest of a directory id', '3 years'],
  'identity/leavers.ts': ['Whom the app asks Slack about next', '2 days'],
  'identity/link-ticket.ts': ['The same of a sign-in that its person has not confirmed yet', '10 minutes'],
  'slack/home-tab.ts': ['Who opened the home tab', '12 hours'],
  'slack/installations/install-state.ts': IDS_ALONE,
  'slack/listeners/changed-messages.ts': IDS_ALONE,
  'slack/listeners/message.ts': IDS_ALONE,
  'slack/listeners/feedback.ts': ['What somebody thought of an answer last', '30 days'],
  'slack/onboarding.ts': ['Who was greeted', '1 year'],
  'slack/sign-in-clicks.ts': ['What somebody clicked to sign in', '30 minutes'],
  'slack/sign-in-prompts.ts': IDS_ALONE,
  'slack/slackbot/ask-for-slackbot.ts': ['What Slackbot asked', '30 minutes'],
  'slack/slackbot/tool-reply.ts': ['What Slackbot was answered', '10 minutes'],
};

/** Everything in backticks and in code blocks. */
function readCode(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, code = '']) => code);
  const inline = text.replace(/^```\w*\n.*?^```/gms, '').matchAll(/`([^`\n]+)`/g);
  return [...blocks, ...[...inline].map(([, code = '']) => code)];
}

/** As GitHub makes them: https://docs.github.com/get-started/writing-on-github (section links). */
function toAnchor(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/ /g, '-');
}

function readAnchors(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^```.*?^```/gms, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading.trim()));
}

/** The cells of the table that follows this heading, row by row, without its head. */
function readTable(text: string, heading: string): string[][] {
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function pageOf(file: string): string {
  return pages.find((page) => page.file === file)?.text ?? '';
}

const source = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(join('src', file)))
  .join('\n');

describe.each(pages)('$file', ({ file, text }) => {
  it('links to files and headings that exist', () => {
    const prose = text.replace(/^```.*?^```/gms, '');
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const to = path === '' ? join(ROOT, file) : resolve(ROOT, dirname(file), path);
      return !existsSync(to) || (anchor !== undefined && !readAnchors(to).includes(anchor));
    });

    expect(broken).toEqual([]);
  });

  it('names environment variables that exist', () => {
    const names = readCode(text).flatMap((code) => code.match(/(?<![\w-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)/g) ?? []);

    expect(
      names.filter((name) => !(name in VARIABLES) && !OTHER_NAMES.includes(name) && !isCertificateCode(name)),
    ).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const runs = [...text.matchAll(/\bnpm run (?:--?[a-z]+ )?([a-z][\w:-]*)/g)].map(([, script = '']) => script);
    const shorthands = [...text.matchAll(/\bnpm (start|test)\b/g)].map(([, script = '']) => script);

    expect([...runs, ...shorthands].filter((script) => !(script in packageFile.scripts))).toEqual([]);
  });

  it('names scripts, tests and deployment files that exist', () => {
    const paths = readCode(text).flatMap((code) => code.match(/(?<![\w./-])(?:scripts|test)\/[\w./-]*\w/g) ?? []);

    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('the documentation', () => {
  it('is all linked from the README', () => {
    const readme = pageOf('README.md');

    expect(docs.filter((file) => !readme.includes(`(${file}`))).toEqual([]);
  });

  it('quotes log messages, errors and replies as the code has them', () => {
    const page = pageOf('docs/troubleshooting.md');
    const rows = IN_THE_LOG.flatMap((heading) => readTable(page, heading));
    const messages = rows.flatMap(([, cell = '']) => readCode(cell));
    const printed = readTable(page, 'The app does not start').flatMap(([cell = '']) => readCode(cell));
    const replies = [...page.matchAll(/“([^”]+)”/g)].map(([, reply = '']) => reply);
    const pieces = [...printed, ...replies].flatMap((text) => text.split('…').map((piece) => piece.trim()));

    expect(messages.length).toBeGreaterThan(30);
    expect(messages.filter((message) => !source.includes(`'${message}'`))).toEqual([]);
    expect(pieces.filter((piece) => !source.includes(piece))).toEqual([]);
  });

  it('has a row for each metric, and no other', async () => {
    const metrics = aMetrics();
    const names = [...(await metrics.read()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const named = readTable(pageOf('docs/operating.md'), 'Metrics').map(([cell = '']) => /\w+/.exec(cell)?.[0]);

    expect(named.sort()).toEqual(names.filter((name) => !/^(process|nodejs)_/.test(name)).sort());
  });

  it('gives a reason for each scope of the manifest, and no other', () => {
    const rows = readTable(pageOf('docs/security.md'), 'Slack scopes, and why');
    const named = rows.flatMap(([cell = '']) => readCode(cell));
    const tests = rows.map(([, , cell = '']) => readCode(cell).filter((path) => path.endsWith('.test.ts')));

    expect(named.sort()).toEqual(toBotScopes(true).sort());
    expect(rows.filter((_, index) => tests[index]?.length !== 1)).toEqual([]);
  });

  it('says of each kind of record how long it is kept, and of nothing else that is kept for a while', () => {
    const rows = readTable(pageOf('docs/security.md'), 'What is stored, and for how long');
    const kinds = Object.entries(createMemoryStore()).flatMap(([name, part]) =>
      typeof part === 'object' ? [name] : [],
    );
    const writers = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && /\bonce\.(put|claim)\(/.test(read(join('src', file))),
    );
    const told = (words: string) => rows.find(([what = '']) => what.includes(words));
    const wanted = [...Object.values(KINDS), ...Object.values(KEPT_FOR_A_WHILE).filter((one) => one !== IDS_ALONE)];

    expect(kinds.filter((name) => name !== 'personal').sort()).toEqual([...Object.keys(KINDS), 'once'].sort());
    expect(writers.sort()).toEqual(Object.keys(KEPT_FOR_A_WHILE).sort());
    expect(wanted.filter(([what, howLong]) => !told(what)?.[1]?.includes(howLong))).toEqual([]);
  });

  it('says how long as the code does', () => {
    const kept = /KEPT_DAYS = \{(.*?)\n\}/s.exec(read('src/backend/store.ts'))?.[1] ?? '';
    const days = Object.fromEntries(
      [...kept.matchAll(/(\w+): ([\d *]+),/g)].map(([, name, value = '']) => [name, value]),
    );

    expect(days).toEqual({ doneTurns: '30', threads: '180', audit: '3 * 365', consumption: '124' });
    expect(USAGE_DAYS).toBe(92);
  });

  it('has an entry in the changelog for the version in package.json', () => {
    const versions = [...pageOf('CHANGELOG.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version);

    expect(versions).toContain(packageFile.version);
  });
});
