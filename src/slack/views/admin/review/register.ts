import type { RegisterProblem } from '../../../../governance/register/register-problem.ts';
import type { Approved } from '../../../../governance/review/approved-state.ts';
import { buildSection, type Content } from '../../content.ts';
import { toMrkdwnLine } from '../../shown-text.ts';
import { buildAdminText } from '../admin-messages.ts';
import { formatCount } from './words.ts';

const NONE =
  'There is no register, so nothing says what is approved. Whoever runs this app writes one (its README shows how) and names its file with `GOVERNANCE_REGISTER`.';

const UNREADABLE_FILE =
  'The file of the register could not be read, so nothing was looked at. Whoever runs this app finds the reason in its log; `GOVERNANCE_REGISTER` names the file.';

/** Of the 3,000 characters of a section. */
const MAX_PROBLEMS_LENGTH = 2_500;

/** Why there is nothing to review against. */
export function buildRegisterProblem(approved: Exclude<Approved, { kind: 'ready' }>): Content {
  switch (approved.kind) {
    case 'none':
      return buildAdminText(NONE);
    case 'unreadable_file':
      return buildAdminText(UNREADABLE_FILE);
    case 'problems':
      return buildProblems(approved.problems);
  }
}

function buildProblems(problems: readonly RegisterProblem[]): Content {
  const headline = `:x: The register has ${formatCount(problems.length, 'problem')}, so nothing was looked at. Mend the file, and give the command again.`;
  const lines: string[] = [];
  let length = 0;
  for (const { line, sentence } of problems) {
    const shown = `• Line ${line.toLocaleString('en-US')}: ${toMrkdwnLine(sentence, 300)}`;
    if (length + shown.length > MAX_PROBLEMS_LENGTH) break;
    lines.push(shown);
    length += shown.length + 1;
  }
  const missing = problems.length - lines.length;
  const more = missing === 0 ? [] : [`• and ${formatCount(missing, 'more', 'more')}`];
  return { text: headline, blocks: [buildSection(headline), buildSection([...lines, ...more].join('\n'))] };
}
