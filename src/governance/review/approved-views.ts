// Why there is no register to compare with, in words for an admin in Slack (mrkdwn).

import type { Log } from '../../log.ts';
import { buildSection, type Content, toMrkdwnLine } from '../../slack/views/content.ts';
import type { RegisterProblem } from '../register/register-problem.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { type Approved, type ApprovedSources, type ReadyRegister, readApproved } from './approved-state.ts';
import { formatCount } from './finding-words.ts';

const NONE =
  'There is no register, so nothing says what is approved. Whoever runs this app writes one (its documentation for administrators shows how) and names its file with `GOVERNANCE_REGISTER`.';

const UNREADABLE_FILE =
  'The file of the register could not be read, so nothing was looked at. Whoever runs this app finds the reason in its log; `GOVERNANCE_REGISTER` names the file.';

/** Of the 3,000 characters of a section. */
const MAX_PROBLEMS_LENGTH = 2_500;

/** What is approved now. If that is unknown, tells the admin why and returns undefined. */
export async function readApprovedOrSay(
  { say }: Pick<Asking, 'say'>,
  ports: ApprovedSources & { log: Log },
): Promise<ReadyRegister | undefined> {
  const approved = await readApproved(ports);
  if (approved.kind === 'ready') return approved;
  if (approved.kind === 'unreadable_file') ports.log.error({ err: approved.error }, 'register not read');
  await say(buildRegisterProblem(approved));
  return undefined;
}

/** Why there is nothing to compare with. */
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
