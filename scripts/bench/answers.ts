import type { Answer } from '@assistant-bridge/sandbox/assistant/conversation.ts';
import { cite } from '@assistant-bridge/sandbox/assistant/odd-answers.ts';

const OVERVIEW: Answer = {
  text: `The launch is on track. Here is what changed since the last review:

- **Date**: the steering group confirmed the second week of March; the earlier date was dropped.[^1^]
- **Scope**: the mobile client moves to the next release, because its tests need another two weeks.
- **Owner**: the product team has the lead, and \`release-notes.md\` is kept by the documentation team.

| area | state | who |
| --- | --- | --- |
| website | done | marketing |
| pricing | in review | finance |
| training | planned | people |

Two things are open. The legal check of the terms is due on Friday, and the budget for the event has to be approved
before the month ends.[^2^] I can look for the minutes if that helps.`,
  attributions: [
    cite('Launch plan', 'https://files.example.com/sites/launch/plan.docx'),
    cite('Event budget', 'https://files.example.com/sites/launch/budget.xlsx'),
  ],
};

const LINKED: Answer = {
  text: `The travel policy was updated on 3 June. Trips within the country no longer need approval in advance; everything
else is still requested through [the travel form](https://files.example.com/forms/travel), two weeks before you leave.[^1^]

Receipts are due within thirty days. For questions about an open claim, write to the travel desk.`,
  attributions: [cite('Travel policy', 'https://files.example.com/sites/people/travel.docx')],
};

const WITH_CODE: Answer = {
  text: `The service is restarted with its own script, which drains it first:

\`\`\`sh
./bin/drain --wait 60
./bin/restart --environment staging
\`\`\`

If the drain takes longer than a minute, look at the queue before you force anything: \`./bin/queue --oldest\` names the
job it waits for.[^1^]`,
  attributions: [cite('Runbook', 'https://files.example.com/sites/platform/runbook.docx')],
};

const SHORT: Answer = {
  text: 'It was agreed in the meeting of 12 May: Ana leads, Ben takes the budget, and the next review is in September.[^1^]',
  attributions: [cite('Minutes of 12 May', 'https://files.example.com/sites/team/minutes.docx')],
};

const ANSWERS = [OVERVIEW, LINKED, WITH_CODE, SHORT];

/**
 * The answer to the question with this number, the same for everybody. A mix of typical answers: a long one with lists and
 * a table, one with a link, one with code, a short one.
 */
export function answerTo(number: number): Answer {
  const { text, ...rest } = ANSWERS[number % ANSWERS.length] ?? SHORT;
  return { ...rest, text: `${text}\n\n${toEnding(number)}` };
}

/** The ending of the answer to the question with this number, and of no other answer. */
export function toEnding(number: number): string {
  return `This is about project ${number}.`;
}
