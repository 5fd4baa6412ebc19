import type { LinkFlow } from '../../../identity/link-flow.ts';
import type { Content } from '../content.ts';
import { toMrkdwnLine } from '../shown-text.ts';
import { buildSignInPrompt } from '../sign-in.ts';
import { buildSection } from './limit-words.ts';

export const ADMIN_USAGE = [
  '`/assistant-admin limits [agent]` lists agents with their monthly credit limits and what they have used.',
  '`/assistant-admin limit <agent>` sets the limit of one agent; part of its name is enough. You see what would change, and confirm it.',
  '`/assistant-admin sign-in` signs you in to the administrative interface, which checks your rights there, too.',
  'Only you see the answers.',
].join('\n');

export const NOT_SET_UP =
  'Administration is not set up in this app. Whoever runs it can turn it on with `ADMIN_API_BASE_URL`.';

/** `sentence` is plain text, perhaps from outside; our own commands in it are in backticks. */
export function buildAdminProblem(sentence: string): Content {
  const text = toMrkdwnLine(sentence, 1_000);
  return { text, blocks: [buildSection(text)] };
}

/** For texts of our own, in mrkdwn. */
export function buildAdminText(text: string): Content {
  return { text, blocks: [buildSection(text)] };
}

/**
 * The link of the assistant does not count here: an admin's account may be another one. `why`: plain text, perhaps from
 * outside, where there is more to say than that it is needed.
 */
export function buildAdminSignIn(variant: LinkFlow['variant'], why?: string): Content {
  const prompt = buildSignInPrompt('admin', variant);
  const text = why === undefined ? prompt.text : toMrkdwnLine(why, 1_000);
  const note = 'This is apart from your sign-in for questions. Afterwards, give the command again.';
  return {
    text,
    blocks: [
      buildSection(text),
      ...prompt.blocks.filter(({ type }) => type === 'actions'),
      { type: 'context', elements: [{ type: 'mrkdwn', text: note }] },
    ],
  };
}
