import { parseArgs } from 'node:util';
import { ConfigError } from '../src/config.ts';
import { BridgeError } from '../src/errors.ts';
import { type DryRun, type ReviewOutcome, reviewDry } from './review/dry-run.ts';
import { loadReviewConfig } from './review/review-access.ts';

const USAGE = `Compares everything with the register once, as /assistant-admin review does, and changes nothing.
  npm run --silent review -- --json   one JSON document on standard output: the findings
  npm run --silent review             one line
Needs ADMIN_API_BASE_URL, GOVERNANCE_REGISTER, and REVIEW_TOKEN or the stored sign-in of REVIEW_AS.

Ends with 0 if everything is as approved, 1 if something is not, 2 if that could not be told.`;

const AS_FAR_AS_TOLD =
  'Everything is as approved, as far as the service tells: it does not show limits, and those last set from here count. With --json you see until when.';

const EXIT_CODES: Record<ReviewOutcome, number> = { approved: 0, findings: 1, unknown: 2 };

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

const { values, positionals } = parseArgs({ options: OPTIONS, strict: false });
const isUnknown = positionals.length > 0 || Object.keys(values).some((name) => !(name in OPTIONS));
if (values.help || isUnknown) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

try {
  const run = await reviewDry(loadReviewConfig(), (line) => console.error(line));
  process.stdout.write(`${values.json ? render(run) : describe(run)}\n`);
  process.exitCode = EXIT_CODES[run.outcome];
} catch (error) {
  const problem = toSentence(error);
  console.error(problem);
  const outcome: ReviewOutcome = 'unknown';
  if (values.json)
    process.stdout.write(`${JSON.stringify({ schema: 1, list: 'review', outcome, problem }, null, 2)}\n`);
  process.exitCode = EXIT_CODES[outcome];
}

/** One object for each row, with the names of the columns. */
function render({ sheet: { list, asOf, gaps, columns, rows }, about }: DryRun): string {
  const objects = rows.map((row) => Object.fromEntries(row.map((cell, index) => [columns[index], cell])));
  const head = { schema: 1, list, asOf: new Date(asOf).toISOString(), ...about, isComplete: gaps.length === 0, gaps };
  return JSON.stringify({ ...head, rows: objects }, null, 2);
}

function describe({ outcome, sheet, about }: DryRun): string {
  if (outcome === 'approved' && about.isInOrderAsTold) return AS_FAR_AS_TOLD;
  if (outcome === 'approved') return 'Everything is as approved.';
  if (outcome === 'unknown') return `It could not be told whether everything is as approved: ${sheet.gaps.join(', ')}.`;
  return `${about.notInOrder} findings are not in order. With --json you see each of them.`;
}

function toSentence(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('\n');
  if (error instanceof BridgeError) return error.message;
  return `The review failed: ${error instanceof Error ? error.message : String(error)}`;
}
