// What the Dockerfile builds, as far as it can be had without Docker: its instructions, and a folder with only what the
// image contains.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** What is in compose.yaml, or in another file of Compose. */
export const readCompose = (file = 'compose.yaml') => parse(read(file), { merge: true });

const objects = parseAllDocuments(read('scripts/deploy/kubernetes.yaml')).map((one) => one.toJS());

/** An object of kubernetes.yaml. */
export const ofKind = (kind: string) => objects.find((one) => one.kind === kind);

type Instruction = { name: string; value: string };

/** The instructions of each stage, the last one being the image. */
export function readStages(): Instruction[][] {
  const text = read('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ');
  const stages: Instruction[][] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const [, name = '', value = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value });
  }
  return stages;
}

export function valuesOf(stage: Instruction[], name: string): string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ value }) => value);
}

/** `[source, target]` of each COPY out of the project. */
export function readCopies(stage: Instruction[]): [string, string][] {
  return valuesOf(stage, 'COPY')
    .filter((value) => !value.startsWith('--from'))
    .flatMap((value) => {
      const words = value.split(' ');
      const target = words.pop() ?? '';
      return words.map((source): [string, string] => [
        source,
        target.endsWith('/') ? join(target, basename(source)) : target,
      ]);
    });
}

/** Fills a folder with what the image has at its working directory: copied files and production packages. */
export function fillAsImage(folder: string): void {
  for (const [source, target] of readCopies(readStages().at(-1) ?? [])) {
    cpSync(join(ROOT, source), join(folder, target), { recursive: true });
  }
  for (const source of findProductionPackages()) {
    const target = join(folder, relative(ROOT, source));
    mkdirSync(target, { recursive: true });
    const isOwn = (file: string) => !file.slice(source.length).startsWith('/node_modules');
    cpSync(source, target, { recursive: true, filter: isOwn });
  }
}

/**
 * The folders of what `npm ci --omit=dev` installs there: what the app needs, and what that needs. The lock file does not
 * tell it from what the sandbox needs, which is a workspace here, and is not in the image.
 */
function findProductionPackages(): string[] {
  const found = new Set([join(ROOT, 'package.json')]);
  // A set also visits what is added meanwhile.
  for (const file of found) {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(readFileSync(file, 'utf8'));
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const needed = findInstalled(name, file);
      if (needed) found.add(needed);
    }
  }
  return [...found].slice(1).map(dirname);
}

/** Packages for other systems are not installed. */
function findInstalled(name: string, importer: string): string | undefined {
  try {
    return findPackageJSON(name, importer);
  } catch {
    return undefined;
  }
}
