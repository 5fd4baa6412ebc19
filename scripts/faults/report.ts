import type { Scenario } from '../../test/faults/scenario.ts';
import { SCENARIOS } from '../../test/faults/scenarios.ts';
import type { Verdict } from '../../test/faults/verdict.ts';

/** The scenarios, for `--list`. */
export function listScenarios(): string {
  return SCENARIOS.map(({ name, about, counts }) => {
    const usual = Object.entries(counts).map(([store, count]) => `${count} on ${store}`);
    return `${name.padEnd(NAME_WIDTH)} ${about} (${usual.join(', ')})`;
  }).join('\n');
}

/** A scenario's table: facts, then criteria, with the first offences below each missed criterion. */
export function toTable(verdict: Verdict): string {
  const width = Math.max(
    ...[...verdict.facts.map(([name]) => name), ...verdict.criteria.map(({ name }) => name)].map(toLength),
  );
  const facts = verdict.facts.map(([name, value]) => `    ${name.padEnd(width)}  ${value}`);
  const criteria = verdict.criteria.map(({ name, wanted, found, isMet, offences }) => {
    const line = `${isMet ? '  ✓ ' : '  ✗ '}${name.padEnd(width)}  ${found} (wanted: ${wanted})`;
    return [line, ...offences.map((offence) => `      ${offence}`)].join('\n');
  });
  return [...facts, ...criteria].join('\n');
}

/** On a terminal, one line that is overwritten; elsewhere a line every ten seconds. */
export function startProgress(scenario: Scenario) {
  let shownAt = performance.now();
  return {
    show(line: string): void {
      if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K  ${scenario.name}: ${line}`);
      else if (performance.now() - shownAt > QUIET_MS) {
        shownAt = performance.now();
        console.log(`  ${scenario.name}: ${line}`);
      }
    },
    end(): void {
      if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
    },
  };
}

const NAME_WIDTH = 20;

const QUIET_MS = 10_000;

function toLength({ length }: string): number {
  return length;
}
