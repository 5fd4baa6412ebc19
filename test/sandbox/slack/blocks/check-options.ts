/** What an app may answer where Slack asks it for options; the same limits as of a static select. */
import type { Json } from '../records.ts';
import { checkOptions } from './check-elements.ts';
import { createProblems, isObject } from './problems.ts';

export function checkOptionsAnswer(body: string): { answer: Json } | { problems: string[] } {
  const answer = parse(body);
  if (answer === undefined) return { problems: ['The answer is not JSON.'] };
  const { options, option_groups: groups } = answer;
  if ((options === undefined) === (groups === undefined)) {
    return { problems: ['The answer has to hold either options or option_groups.'] };
  }
  const problems = createProblems();
  // None at all is what Slack calls no results; a group, though, has something in it.
  if (options !== undefined) checkOptions(options, '/options', problems, { min: 0, max: 100 });
  else {
    for (const [index, group] of problems.list(groups, '/option_groups', { min: 1, max: 100 }).entries()) {
      const at = `/option_groups/${index}`;
      problems.textObject(group.label, `${at}/label`, { max: 75, plainOnly: true });
      checkOptions(group.options, `${at}/options`, problems, { min: 1, max: 100 });
    }
  }
  return problems.messages.length > 0 ? { problems: problems.messages } : { answer };
}

function parse(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
