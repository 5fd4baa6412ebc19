import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SECRETS, VARIABLES } from '../src/config-variables.ts';
import { BOT_SCOPES } from '../src/slack/installations/bot-scopes.ts';
import { isCertificateCode } from '../src/tls-fault.ts';
import { aMetrics } from './ops/a-metrics.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const docs = readdirSync(join(ROOT, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs].map((file) => ({ file, text: read(file) }));
const packageFile = JSON.parse(read('package.json'));

/** Variables that Node reads, not the app. */
const OTHER_NAMES = [
  'NODE_OPTIONS',
  'NODE_USE_SYSTEM_CA',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  ...SECRETS.map((name) => `${name}_FILE`),
];

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
    const rows = ['While it runs', 'For administrators'].flatMap((heading) => readTable(page, heading));
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
    const named = readTable(pageOf('docs/operating.md'), 'Metrics').map(([cell = '']) => cell.replaceAll('`', ''));

    expect(named.sort()).toEqual(names.filter((name) => !/^(process|nodejs)_/.test(name)).sort());
  });

  it('gives a reason for each scope of the manifest, and no other', () => {
    const rows = readTable(pageOf('docs/security.md'), 'Slack scopes, and why');
    const named = rows.flatMap(([cell = '']) => readCode(cell));

    expect(named.sort()).toEqual([...BOT_SCOPES].sort());
  });

  it('has an entry in the changelog for the version in package.json', () => {
    const versions = [...pageOf('CHANGELOG.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version);

    expect(versions).toContain(packageFile.version);
  });
});
