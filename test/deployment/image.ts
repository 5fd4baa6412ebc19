// What the Dockerfile builds, as far as it can be had without Docker: its instructions, and a folder with only what the
// image contains.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Instruction = { name: string; value: string };

/** The instructions of each stage, the last one being the image. */
export function readStages(): Instruction[][] {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
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
  for (const path of readProductionPackages()) {
    mkdirSync(join(folder, path), { recursive: true });
    const isOwn = (file: string) => !file.slice(ROOT.length + path.length).startsWith('/node_modules');
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: isOwn });
  }
}

/** What `npm ci --omit=dev` installs here, as the lock file says: packages for other systems are not there. */
function readProductionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const packages: [string, { dev?: boolean; link?: boolean }][] = Object.entries(lock.packages);
  return packages
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path]) => path)
    .filter((path) => isInstalled(path));
}

function isInstalled(path: string): boolean {
  try {
    readFileSync(join(ROOT, path, 'package.json'));
    return true;
  } catch {
    return false;
  }
}
