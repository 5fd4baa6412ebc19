import type { LinkFlow } from '../../../identity/link-flow.ts';
import { buildSection, type Content } from '../content.ts';
import { toMrkdwnLine, toMrkdwnName } from '../shown-text.ts';
import { buildSignInPrompt } from '../sign-in.ts';
export const ADMIN_USAGE = [
  '`/assistant-admin agents [name] [env:<environment>] [owner:<id>] [harness]` lists agents. `harness` leaves those that a harness made; `harness:no` and `harness:unknown` leave the others.',
  '`/assistant-admin environments [name]` lists environments, with their owners and how many agents they have.',
  '`/assistant-admin usage [environment]` shows what has been used of the credits, and where that leads.',
  '`/assistant-admin limits [agent]` lists agents with their monthly credit limits and what they have used.',
  '`/assistant-admin limit [agent]` sets the limit of one agent; part of its name is enough, and without one you search it. You see what would change, say why, and confirm it.',
  '`/assistant-admin allocation [environment]` shows the credits of one environment and the rules for them, and sets them.',
  '`/assistant-admin review` compares everything with the register of what is approved, and reports in our direct messages; `review export` writes the register out with what was decided in Slack.',
  '`/assistant-admin audit [text]` shows who changed what, the latest first; a text finds names, ids, people and reasons.',
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

/** `account`: its name as the directory has it, untrusted; empty where it is not known. */
export function buildSignedInAlready(variant: LinkFlow['variant'], account: string): Content {
  const name = toMrkdwnName(account, 200);
  const who = name === '' ? 'with an account whose name is unknown' : `as *${name}*`;
  const text = `You are signed in ${who}. To change the account, sign in again.`;
  const { blocks } = buildSignInPrompt('admin', variant);
  return { text, blocks: [buildSection(text), ...blocks.filter(({ type }) => type === 'actions')] };
}

/**
 * The link of the assistant does not count here: an admin's account may be another one. `why`: plain text, perhaps from
 * outside, where there is more to say than that it is needed. `next`: what to do afterwards, in mrkdwn.
 */
export function buildAdminSignIn(variant: LinkFlow['variant'], why?: string, next = 'give the command again'): Content {
  const prompt = buildSignInPrompt('admin', variant);
  const text = why === undefined ? prompt.text : toMrkdwnLine(why, 1_000);
  const note = `This is apart from your sign-in for questions. Afterwards, ${next}.`;
  return {
    text,
    blocks: [
      buildSection(text),
      ...prompt.blocks.filter(({ type }) => type === 'actions'),
      { type: 'context', elements: [{ type: 'mrkdwn', text: note }] },
    ],
  };
}
