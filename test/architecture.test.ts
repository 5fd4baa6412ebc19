import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * Who may import what, from `src/`. A folder is its own neighbour; what is not listed is not allowed. `types` may be
 * imported as types only: they are contracts, not code.
 */
const ALLOWED: Record<string, { code: string[]; types?: string[]; packages?: RegExp }> = {
  'main.ts': { code: ['compile-cache.ts', 'run-process.ts'] },
  'compile-cache.ts': { code: [], packages: /^node:(fs|module|url)$/ },
  'run-process.ts': { code: ['app.ts', 'backend', 'config.ts', 'errors.ts', 'log.ts'] },
  backend: {
    code: ['delivery', 'delivery/bullmq', 'slack', 'storage/sqlite', 'storage/redis'],
    types: ['config.ts', 'log.ts', 'storage', 'with-lock.ts'],
  },
  'app.ts': {
    code: ['conversation', 'delivery', 'http', 'ops', 'slack', 'storage', 'version.ts', 'wiring'],
    types: ['backend', 'config.ts', 'log.ts'],
    packages: /^node:timers\/promises$/,
  },
  wiring: {
    code: [
      'assistant',
      'admin-api',
      'conversation',
      'delivery',
      'governance',
      'http',
      'identity',
      'ops',
      'slack',
      'storage',
    ],
    types: ['backend', 'config.ts', 'log.ts'],
    packages: /^(node:crypto|@slack\/bolt)$/,
  },
  'config.ts': { code: ['config-values.ts', 'env-file.ts', 'errors.ts', 'governance', 'identity'] },
  'env-file.ts': { code: [], packages: /^node:(fs|util)$/ },
  'config-values.ts': { code: [], packages: /^(luxon|croner)$/ },
  'errors.ts': { code: [] },
  'run-in-worker.ts': { code: [], types: ['errors.ts'], packages: /^node:worker_threads$/ },
  'log.ts': { code: [], packages: /^pino$/ },
  'version.ts': { code: [], packages: /package\.json$/ },
  'retry.ts': { code: [] },
  'time-limit.ts': { code: [] },
  'with-lock.ts': { code: [] },
  slack: {
    code: ['errors.ts', 'retry.ts', 'time-limit.ts', 'run-in-worker.ts', 'http', 'identity', 'conversation'],
    types: ['log.ts', 'with-lock.ts'],
    packages:
      /^(@slack\/|unified$|remark-|mdast|micromark|luxon$|lru-cache$|zod$|node:crypto$|node:http$|node:timers\/promises$)/,
  },
  conversation: { code: ['errors.ts', 'retry.ts', 'time-limit.ts'], types: ['assistant', 'log.ts'] },
  delivery: { code: ['conversation', 'time-limit.ts'], types: ['log.ts'] },
  'delivery/bullmq': {
    code: ['delivery', 'errors.ts', 'redis', 'time-limit.ts'],
    types: ['log.ts'],
    packages: /^(bullmq|redis)$/,
  },
  identity: {
    code: ['errors.ts', 'retry.ts', 'http'],
    types: ['conversation', 'log.ts', 'with-lock.ts'],
    packages: /^(openid-client|zod|node:(crypto|http))$/,
  },
  assistant: { code: ['errors.ts', 'http'], types: ['conversation'] },
  'admin-api': { code: ['errors.ts', 'retry.ts', 'http'], packages: /^zod$/ },
  governance: {
    code: [
      'admin-api',
      'conversation',
      'errors.ts',
      'http',
      'identity',
      'retry.ts',
      'run-in-worker.ts',
      'slack',
      'time-limit.ts',
    ],
    types: ['log.ts', 'with-lock.ts'],
    packages: /^(yaml|zod|croner|luxon|lru-cache|@slack\/(bolt|types)|node:(crypto|fs\/promises|timers\/promises))$/,
  },
  http: { code: ['errors.ts'], packages: /^(undici|node:(http|net))$/ },
  ops: {
    code: ['errors.ts', 'time-limit.ts', 'version.ts'],
    types: ['log.ts'],
    packages: /^(prom-client|node:(http|net|perf_hooks))$/,
  },
  redis: { code: [], packages: /^redis$/ },
  storage: { code: ['errors.ts'], types: ['conversation', 'governance', 'identity', 'slack'] },
  'storage/sqlite': {
    code: ['errors.ts', 'conversation', 'storage', 'governance'],
    types: ['storage', 'governance', 'identity', 'slack'],
    packages: /^node:(sqlite|fs|path)$/,
  },
  'storage/redis': {
    code: ['errors.ts', 'time-limit.ts', 'conversation', 'redis', 'storage', 'governance'],
    types: ['delivery', 'governance', 'identity', 'slack', 'log.ts', 'with-lock.ts'],
    packages: /^(redis|node:crypto)$/,
  },
};

/** What administrators do, from below: each may import what stands before it, types included. */
const SLICES = [
  'shell',
  'inventory',
  'changes',
  'limits',
  'allocations',
  'register',
  'audit',
  'review',
  'confirmation',
  'review-actions',
  'scheduled-review',
  'lists',
  'admin-listeners.ts',
];

/** The one file of governance that Slack reaches it through. */
const ADMIN_SHELL = 'governance/shell/admin-shell.ts';

/** In governance, what knows Slack says so by its name; the shell is where Slack reaches it. */
const KNOWS_SLACK =
  /^governance\/shell\/|\/slack-|[-/](views|words|form|modal|messages?|command|actions?|buttons|listeners?|delivery|kind)\.ts$/;

/** Parts of governance that know no Slack and use a package all the same: a format, a calendar, a cache. */
const WITH_PACKAGES = [
  'governance/audit/audited-changes.ts',
  'governance/inventory/inventory-cache.ts',
  'governance/register/export-register.ts',
  'governance/register/read-register.ts',
  'governance/register/register-problem.ts',
  'governance/register/register-schema.ts',
  'governance/scheduled-review/review-schedule.ts',
];

/** Files of less than 40 lines with one importer, and why they stand alone. */
const SMALL_FILES: Record<string, string> = {
  'main.ts': 'switches the compile cache on before anything else is loaded',
  'compile-cache.ts': 'the same',
  'backend/embedded-backend.ts': 'loaded with SQLite alone',
  'backend/open-backend.ts': 'loads one of the two',
  'backend/shared-backend.ts': 'loaded with Redis alone',
  'governance/register/register-worker.ts': 'the entry of a worker thread',
  'slack/installations/bot-scopes.ts': 'read by the manifest, before any package is installed',
  'slack/listeners/register.ts': 'the one list of what is listened to',
  'slack/text-out/render-worker.ts': 'the entry of a worker thread',
};

/** The files that name a method `chat.*` of Slack: to post is the business of two, the others are about all methods. */
const CHAT_FILES = ['slack/messenger.ts', 'slack/slack-reply.ts', 'slack/web/limits.ts', 'slack/web/methods.ts'];

/** The files that give the client of Slack's own packages its options: those who have Bolt or its OAuth make one. */
const BOLT_CLIENT_FILES = ['slack/bolt-app.ts', 'slack/installations/install-routes.ts', 'slack/web/bolt-client.ts'];

/** 200 lines are worth a question; more than 400 nobody reads in one go. */
const MAX_LINES = 400;

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

type Import = { file: string; from: string; isType: boolean };

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const imports = files.flatMap((file) => readImports(file));

describe('the house', () => {
  it('has a rule for every part', () => {
    const parts = new Set(files.map(toPart));

    expect([...parts].filter((part) => !(part in ALLOWED))).toEqual([]);
    expect(Object.keys(ALLOWED).filter((part) => !parts.has(part))).toEqual([]);
  });

  it('imports only what the table allows', () => {
    const forbidden = imports.filter((one) => !isAllowed(one));

    expect(forbidden.map(({ file, from }) => `${file} imports ${from}`)).toEqual([]);
  });

  it('imports downward only among the slices of what administrators do, types included', () => {
    const governance = imports.filter(({ file }) => toSlice(file) !== undefined);
    const upward = governance.filter(({ file, from }) => toPlace(from) > toPlace(file));

    expect([...new Set(governance.map(({ file }) => toSlice(file)))].toSorted()).toEqual(SLICES.toSorted());
    expect(upward.map(({ file, from }) => `${file} imports ${from}`)).toEqual([]);
  });

  it('has no circle of files that import each other, be it for types alone', () => {
    expect(findCircle()).toEqual([]);
  });

  it('limits times and tries again in one place', () => {
    const races = files.filter((file) => /\bPromise\.race\b/.test(readSource(file)));
    const retries = files.filter(hasRetryLoop);

    expect(races).toEqual(['time-limit.ts']);
    // That one writes what has come up meanwhile, not the same again.
    expect(retries.toSorted()).toEqual(['delivery/bullmq/wake-ups.ts', 'retry.ts']);
  });

  it('reads the environment in config.ts alone', () => {
    const readers = files.filter((file) => /process\.env\b/.test(readSource(file)));

    expect(readers).toEqual(['config.ts']);
  });

  it('lets Slack reach what administrators do through the shell alone, which checks their right to act', () => {
    const governance = files.filter((file) => file.startsWith('governance/'));
    const isMatched = (pattern: RegExp) => (file: string) => pattern.test(readSource(file));

    expect(governance.filter(isMatched(/\bapp\s*\.\s*(action|view|options|command)\b/))).toEqual([ADMIN_SHELL]);
    expect(governance.filter(isMatched(/^import type \{[^}]*\bApp\b[^}]*\} from '@slack\/bolt'/m))).toEqual([
      'governance/admin-listeners.ts',
      ADMIN_SHELL,
    ]);
  });

  it('shows by the name of a file of governance whether it knows Slack', () => {
    const knowing = imports.filter(
      ({ file, from }) => /^governance\/[^/]+\//.test(file) && /^(@slack|slack\/)/.test(from),
    );

    expect([...new Set(knowing.map(({ file }) => file))].filter((file) => !KNOWS_SLACK.test(file))).toEqual([]);
  });

  it('needs no package for plain logic', () => {
    const plain = (file: string) => /^(conversation|governance\/[^/]+)\//.test(file) && !KNOWS_SLACK.test(file);
    const users = imports.filter(({ file, from }) => plain(file) && !/^node:|\.ts$/.test(from));

    expect([...new Set(users.map(({ file }) => file))].sort()).toEqual(WITH_PACKAGES);
  });

  it('has no two files of the same name in governance', () => {
    const names = Map.groupBy(
      files.filter((file) => file.startsWith('governance/')),
      (file) => basename(file),
    );

    expect([...names.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  it('has few files that are short and serve one other', () => {
    const importers = Map.groupBy(imports, ({ from }) => from);
    const small = files.filter(
      (file) => readSource(file).split('\n').length <= 40 && (importers.get(file) ?? []).length <= 1,
    );

    expect(small.toSorted()).toEqual(Object.keys(SMALL_FILES).toSorted());
  });

  it('says something in Slack in the messenger and the reply alone', () => {
    expect(files.filter((file) => /['"`]chat\.\w/.test(readSource(file))).sort()).toEqual(CHAT_FILES);
  });

  it('calls Slack by its own client: WebClient is for Bolt, which makes it', () => {
    const importers = imports.filter(({ from, isType }) => from === '@slack/web-api' && !isType);
    const users = files.filter((file) => /\bCLIENT_OPTIONS\b/.test(readSource(file)));

    expect(importers).toEqual([]);
    expect(files.filter((file) => /\bnew WebClient\b|\bclient\.(apiCall|chat|views)\b/.test(readSource(file)))).toEqual(
      [],
    );
    expect(users.sort()).toEqual(BOLT_CLIENT_FILES);
  });

  it('has no barrel, no default export, and no file of more than 400 lines', () => {
    const offenders = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(src|test|scripts|manifest)\/.*\.ts$/.test(file))
      .filter((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        const isConfig = file === 'test/vitest.config.ts';
        return (
          text.split('\n').length > MAX_LINES ||
          /^export \*/m.test(text) ||
          (!isConfig && /^export default/m.test(text))
        );
      });

    expect(offenders).toEqual([]);
  });
});

/** A loop that catches an error and waits. A loop ends with the next line of its own indentation. */
function hasRetryLoop(file: string): boolean {
  const text = readSource(file);
  const loops = text.matchAll(/^( *)(?:for|while|do)\b[^\n]*\{\n([\s\S]*?)\n\1\}/gm);
  return [...loops].some(
    ([, , body = '']) => /} catch\b/.test(body) && /\bawait (sleep|wait|pause)\(|setTimeout/.test(body),
  );
}

function readSource(file: string): string {
  return readFileSync(join(src, file), 'utf8');
}

function readImports(file: string): Import[] {
  const text = readSource(file);
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:([^'";]*?)\sfrom\s+)?'([^']+)'/gm);
  const toImport = (from: string, isType: boolean): Import => ({
    file,
    from: from.startsWith('.') ? relative(src, resolve(src, dirname(file), from)) : from,
    isType,
  });
  const loadedLater = text.matchAll(/\bimport\('([^']+)'\)/g);
  return [
    ...[...statements].map(([, type, names = '', from = '']) =>
      toImport(from, type !== undefined || /^\{(\s*type\s[^,}]+,?)+\s*\}$/.test(names)),
    ),
    ...[...loadedLater].map(([, from = '']) => toImport(from, false)),
  ];
}

function isAllowed({ file, from, isType }: Import): boolean {
  const part = toPart(file);
  const rule = ALLOWED[part];
  if (!rule) return false;
  if (!from.endsWith('.ts')) return rule.packages?.test(from) ?? false;
  const target = toPart(from);
  if (target === part || rule.code.includes(target)) return true;
  return isType && (rule.types ?? []).includes(target);
}

/** The part of the house that a file of src/ belongs to. */
function toPart(file: string): string {
  if (!file.includes('/')) return file;
  return /^(storage|delivery)\/(sqlite|redis|bullmq)(?=\/)/.exec(file)?.[0] ?? file.split('/', 1)[0] ?? file;
}

function toSlice(file: string): string | undefined {
  return /^governance\/([^/]+)/.exec(file)?.[1];
}

function toPlace(file: string): number {
  return SLICES.indexOf(toSlice(file) ?? '');
}

function findCircle(): string[] {
  const next = Map.groupBy(
    imports.filter(({ from }) => from.endsWith('.ts')),
    ({ file }) => file,
  );
  const isDone = new Set<string>();
  const visit = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (isDone.has(file)) return [];
    for (const { from } of next.get(file) ?? []) {
      const circle = visit(from, [...path, file]);
      if (circle.length > 0) return circle;
    }
    isDone.add(file);
    return [];
  };
  return files.map((file) => visit(file, [])).find((circle) => circle.length > 0) ?? [];
}
