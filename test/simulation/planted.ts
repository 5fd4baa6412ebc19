// Faults that are planted one at a time, to see that the simulation finds them: each takes one safeguard out of the code as
// it is loaded. A safeguard that is written otherwise some day has to be named anew here: simulation.test.ts says so.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** `file`: from the root of the project. `take`: stands there once; `put`: what is loaded in its place. */
export type PlantedFault = { name: string; file: string; take: string; put: string };

export const FAULTS: readonly PlantedFault[] = [
  {
    name: 'the store does not check the fence',
    file: 'test/storage/turn-model.ts',
    take: ' || stored.fence !== turn.fence || stored.run !== turn.run',
    put: '',
  },
  {
    name: 'acknowledged before the commit',
    file: 'src/conversation/accept-turn.ts',
    take: '  const accepted = await',
    put: `  void written.then((one) => (one === 'taken' ? place?.begin({ ...turn, fence: 1 }) : (place?.release(), ports.wake(lane)))).catch(() => place?.release());
  if (Math.abs(1) === 1) return 'new';
  const accepted = await`,
  },
  {
    name: 'a wake-up is lost',
    file: 'src/delivery/lane-runs.ts',
    take: 'if (!begin(lane)) due.add(lane);',
    put: 'begin(lane);',
  },
  {
    name: 'what waits is not looked at at a start',
    file: 'test/simulation/replica.ts',
    take: '  void lookFirst();\n',
    put: '',
  },
  {
    name: 'created without looking for it',
    file: 'src/conversation/resume-turn.ts',
    take: "return now - (part.placingAt ?? 0) >= FIND_AFTER_MS ? 'find' : 'wait';",
    put: "return 'create';",
  },
  {
    name: 'several refresh at once',
    file: 'src/identity/access-token.ts',
    take: 'withLock(text, () => refreshStoredTokens({ ...options, key, isNeeded, unsaved }))',
    put: 'refreshStoredTokens({ ...options, key, isNeeded, unsaved })',
  },
  {
    name: 'asked again after a time-out',
    file: 'src/conversation/ask.ts',
    take: "if (codeOf(error) !== 'assistant_unauthorized') throw error;",
    put: "if (codeOf(error) === 'assistant_outcome_unknown') return request();\n      if (codeOf(error) !== 'assistant_unauthorized') throw error;",
  },
  {
    name: 'not read again before a write',
    file: 'src/governance/run/carry-out-item.ts',
    take: 'if (isSame && !(await isOverruled(work, services))) return undefined;',
    put: 'return undefined;',
  },
  {
    name: 'an exception holds beyond its last day',
    file: 'src/policy/policy.ts',
    take: 'if (entry?.exception && !isOver(entry.exception.until, now)) {',
    put: 'if (entry?.exception) {',
  },
  {
    name: 'a lease is taken from a living replica',
    file: 'test/storage/lease-model.ts',
    take: "return isThere(tokenOf(present.holder)) ? 'another' : 'one that is gone';",
    put: "return 'one that is gone';",
  },
  {
    name: 'the status is not ended',
    file: 'src/conversation/finish-reply.ts',
    take: '      await stopWorking(run);\n      // This save may be lost',
    put: '      // This save may be lost',
  },
  {
    name: 'a sign-out is not seen',
    file: 'src/identity/access-token.ts',
    take: '    const { link, tokens } = await readLinkedTokens(options, key);\n    await noteUse(link, options);\n    const accessToken',
    put: '    const seen = (globalThis as any).seenLinks ??= new Map();\n    if (!seen.has(toLinkText(key))) seen.set(toLinkText(key), await readLinkedTokens(options, key));\n    const { link, tokens } = seen.get(toLinkText(key));\n    const accessToken',
  },
  {
    name: 'the text is kept when it is done',
    file: 'src/conversation/finish-reply.ts',
    take: 'question: withoutWords(turn.question)',
    put: 'question: turn.question',
  },
];

const ROOT = new URL('../../', import.meta.url);

export function readTarget({ file }: PlantedFault): string {
  return readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8');
}

/** From here on, what is loaded has the fault. */
export function plant(fault: PlantedFault): void {
  const { href } = new URL(fault.file, ROOT);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      return url === href ? { ...loaded, source: readTarget(fault).replace(fault.take, () => fault.put) } : loaded;
    },
  });
}
