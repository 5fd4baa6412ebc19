import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  ADMIN_SHELL,
  ALLOWED,
  BOLT_CLIENT_FILES,
  BUDGETS,
  CHAT_FILES,
  KNOWS_SLACK,
  MAX_FILES,
  MAX_LINES,
  MAX_WORDS,
  NEEDED_LATER,
  ONE_EACH,
  SERVICES,
  SLICES,
  SMALL_FILES,
  START,
  WITH_PACKAGES,
} from './architecture-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

type Import = { file: string; from: string; isType: boolean; isLate?: boolean };

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

  it('allows no import that there is not', () => {
    const made = new Set(
      imports.map(({ file, from, isType }) => `${toPart(file)} imports ${isType ? 'types of ' : ''}${toPart(from)}`),
    );
    const unused = Object.entries(ALLOWED).flatMap(([part, { code, types = [] }]) => [
      ...code.filter((other) => !made.has(`${part} imports ${other}`)).map((other) => `${part} imports ${other}`),
      ...types
        .filter((other) => !made.has(`${part} imports types of ${other}`))
        .map((other) => `${part} imports types of ${other}`),
    ]);

    expect(unused).toEqual([]);
  });

  it('imports downward only among the slices of what administrators do, types included', () => {
    const governance = imports.filter(({ file }) => toSlice(file) !== undefined);
    const upward = governance.filter(({ file, from }) => from !== SERVICES && toPlace(from) > toPlace(file));

    expect([...new Set(governance.map(({ file }) => toSlice(file)))].toSorted()).toEqual(SLICES.toSorted());
    expect(upward.map(({ file, from }) => `${file} imports ${from}`)).toEqual([]);
    expect(imports.filter(({ file, isType }) => file === SERVICES && !isType)).toEqual([]);
  });

  it('has no circle of files that import each other, be it for types alone', () => {
    expect(findCircle()).toEqual([]);
  });

  it('waits at the start for no package that is needed later', () => {
    const users = imports.filter(({ from, isType }) => NEEDED_LATER.test(from) && !isType).map(({ file }) => file);

    expect(users).not.toEqual([]);
    expect(users.filter((file) => findStartFiles().has(file))).toEqual([]);
  });

  it('limits times and tries again in one place', () => {
    const races = files.filter((file) => /\bPromise\.race\b/.test(readSource(file)));
    const retries = files.filter(hasRetryLoop);

    expect(races).toEqual(['time-limit.ts']);
    expect(retries).toEqual(['retry.ts']);
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
      (file) =>
        !ONE_EACH.test(file) && readSource(file).split('\n').length <= 40 && (importers.get(file) ?? []).length <= 1,
    );

    expect(small.toSorted()).toEqual(Object.keys(SMALL_FILES).toSorted());
  });

  it('says something in Slack in the messenger and the reply alone', () => {
    expect(files.filter((file) => /['"`]chat\.\w/.test(readSource(file))).sort()).toEqual(CHAT_FILES);
  });

  it('calls Slack by its own client: WebClient is for Bolt, which makes it', () => {
    const importers = imports.filter(({ from, isType }) => from === '@slack/web-api' && !isType);
    const users = files.filter((file) => /\bbuildClientOptions\b/.test(readSource(file)));

    expect(importers).toEqual([]);
    expect(files.filter((file) => /\bnew WebClient\b|\bclient\.(apiCall|chat|views)\b/.test(readSource(file)))).toEqual(
      [],
    );
    expect(users.sort()).toEqual(BOLT_CLIENT_FILES);
  });

  it('shares nothing with the sandbox, which knows nothing of the app', () => {
    const sandbox = join(root, 'test/sandbox');
    const found = readdirSync(sandbox, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const outside = found.filter((file) =>
      [...readFileSync(join(sandbox, file), 'utf8').matchAll(/^(?:import|export)\s[^'";]*'(\.[^']+)'/gm)].some(
        ([, from = '']) => relative(sandbox, resolve(sandbox, dirname(file), from)).startsWith('..'),
      ),
    );

    expect(outside).toEqual([]);
    expect(imports.filter(({ from }) => /sandbox/.test(from))).toEqual([]);
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

describe('the budgets', () => {
  it.each(BUDGETS)('$part: at most $lines lines', ({ folders, lines }) => {
    expect(sum(folders.flatMap(listTexts).map(countLines))).toBeLessThanOrEqual(lines);
  });

  it('src: few files, and no folder with more than a third of the lines', () => {
    const folders = Map.groupBy(listTexts('src'), (file) => file.split('/', 2).join('/')).values();
    const [largest = 0, ...others] = [...folders].map((some) => sum(some.map(countLines))).toSorted((a, b) => b - a);

    expect(files.length).toBeLessThanOrEqual(MAX_FILES);
    expect(largest * 3).toBeLessThanOrEqual(largest + sum(others));
  });

  it('documentation: few words', () => {
    const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'test/sandbox/README.md', ...listTexts('docs')];
    const words = pages.map((page) => readFileSync(join(root, page), 'utf8').match(/\S+/g)?.length ?? 0);

    expect(sum(words)).toBeLessThanOrEqual(MAX_WORDS);
  });
});

/** Every file of the folder that people read, from the project's root. */
function listTexts(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs|css|html|json|ya?ml|md|sh|svg|txt|jsonl?)$/.test(file) && !/node_modules/.test(file))
    .map((file) => join(folder, file));
}

function countLines(file: string): number {
  return readFileSync(join(root, file), 'utf8').split('\n').length - 1;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

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
    ...[...loadedLater].map(([, from = '']) => ({ ...toImport(from, false), isLate: true })),
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

/** The files that are loaded before the app is ready. */
function findStartFiles(): Set<string> {
  const found = new Set(START);
  // A set also visits what is added meanwhile.
  for (const file of found) {
    const needed = imports.filter((one) => one.file === file && !one.isType && !one.isLate);
    for (const { from } of needed) if (from.endsWith('.ts')) found.add(from);
  }
  return found;
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
