import { buildLines, buildNotes } from '../governance/shell/blocks.ts';
import { buildSection, type Content, fitBlocks, toContent, toMrkdwnLine } from '../slack/views/content.ts';
import { VERSION } from '../version.ts';
import { count, type Finding, type Section, sumUp } from './check.ts';

/** More than our longest sentence with a name in it. */
const MAX_SENTENCE_LENGTH = 1_000;

/** Each line may need its own section, and a message has room for 40. */
const MAX_LINES = 30;

const MARKS = { ok: '✓', warning: ':warning:', error: ':x:' } as const;

/**
 * The report for administrators in Slack: warnings and errors in full, the rest by title. Details are only in the
 * terminal: they name workspaces and channels that not every administrator is in.
 */
export function buildDoctorMessage(sections: Section[]): Content {
  const lines = sections.flatMap(describeTrouble);
  const right = sections.flatMap(describeRight);
  return toContent(
    fitBlocks([
      buildSection(`*Doctor*: ${sumUp(sections)}`),
      ...buildLines(lines.slice(0, MAX_LINES)),
      ...(lines.length > MAX_LINES ? [buildSection(`… and ${lines.length - MAX_LINES} more lines.`)] : []),
      ...(right.length > 0 ? [buildSection(`In order: ${right.join(', ')}.`)] : []),
      buildNotes([
        `Release ${toMrkdwnLine(VERSION, 40)}, as seen by the process that answered you. Nothing was changed. \`npm run doctor\`, where the app runs, shows every finding.`,
      ]),
    ]),
  );
}

function describeTrouble({ title, findings }: Section): string[] {
  const wrong = findings.filter(({ level }) => level !== 'ok');
  return wrong.length === 0 ? [] : [`*${title}*`, ...wrong.map(toLine)];
}

function toLine({ level, sentence, details = [] }: Finding): string {
  const text = `${MARKS[level]} ${toMrkdwnLine(sentence, MAX_SENTENCE_LENGTH)}`;
  if (details.length === 0) return text;
  return `${text.replace(/:$/, '')} (${count(details.length, 'more line')} with \`npm run doctor\`).`;
}

/** `Store (5 checks)`: counts the checks that passed. */
function describeRight({ title, findings }: Section): string[] {
  const passed = findings.filter(({ level }) => level === 'ok').length;
  return passed === 0 ? [] : [`${title} (${count(passed, 'check')})`];
}
