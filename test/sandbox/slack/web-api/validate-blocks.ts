/** `blocks.validate`, which takes no token: https://docs.slack.dev/reference/methods/blocks.validate */
import { checkBlocks } from '../blocks/check-blocks.ts';
import { checkView } from '../blocks/check-view.ts';
import { isObject } from '../json.ts';
import type { Json } from '../records.ts';
import type { OtherMethods } from './answer-call.ts';
import { SlackApiError } from './method.ts';

type What = 'blocks' | 'message' | 'view';

const ERRORS: Record<What, string> = { blocks: 'invalid_blocks', message: 'invalid_message', view: 'invalid_view' };

export const WITHOUT_TOKEN: OtherMethods = new Map([['blocks.validate', async (_, given) => validate(given)]]);

function validate(given: Json): Json {
  const named = (Object.keys(ERRORS) as What[]).filter((what) => given[what] !== undefined);
  const [what] = named;
  // Exactly one of them.
  if (what === undefined || named.length > 1) throw new SlackApiError('invalid_arguments');
  const problems = findProblems(what, read(given[what]));
  if (problems.length > 0) throw new SlackApiError(ERRORS[what], { errors: problems.map(toError) });
  return { ok: true };
}

/** JSON in a form field, or in JSON. */
function read(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new SlackApiError('invalid_arguments');
  }
}

/** The schema alone: how much a message may hold is looked at when it is posted. */
function findProblems(what: What, value: unknown): string[] {
  if (what === 'view') {
    if (!isObject(value)) throw new SlackApiError('invalid_arguments');
    return checkView(value, value.type === 'home' ? 'home' : 'modal');
  }
  return checkBlocks(what === 'message' && isObject(value) ? value.blocks : value);
}

function toError(problem: string): Json {
  const [, message = problem, pointer = ''] = /^\[ERROR\] (.*) \[json-pointer:(.*)\]$/.exec(problem) ?? [];
  return { pointer, code: 'failed_constraint', message };
}
