/** What an app may answer where Slack asks it for options; the same limits as of a static select. */
import { parseObject } from '../json.ts';
import type { Json } from '../records.ts';
import { GROUPS, optionsOf } from './check-elements.ts';
import { findProblems, object } from './problems.ts';

// None at all is what Slack calls no results; a group, though, has something in it.
const ANSWER = object({ options: optionsOf(0, 100).optional(), option_groups: GROUPS.optional() });

export function checkOptionsAnswer(body: string): { answer: Json } | { problems: string[] } {
  const answer = parseObject(body);
  if (answer === undefined) return { problems: ['The answer is not JSON.'] };
  if ((answer.options === undefined) === (answer.option_groups === undefined))
    return { problems: ['The answer has to hold either options or option_groups.'] };
  const problems = findProblems(answer, '', ANSWER);
  return problems.length > 0 ? { problems } : { answer };
}
