import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyBlock } from '@slack/types';
import type { NoticeCode } from '../../conversation/outcome.ts';
import type { Question } from '../../conversation/question.ts';
import type { Texts } from '../../languages/english.ts';
import { textsOf } from '../../languages/texts.ts';
import { type Installation, UnknownWorkspaceError } from '../installation.ts';
import type { Uses } from '../services.ts';
import { splitAddresses } from '../text-in/mrkdwn.ts';
import { readMessage, toQuestion } from '../text-in/read-message.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import { toTextContent } from '../views/content.ts';
import { buildSignInLink } from '../views/sign-in.ts';
import type { TokenBuckets } from '../web/buckets.ts';
import type { ToolAnswer } from './tool-answer.ts';
import { readToolAnswer, SLACKBOT } from './tool-reply.ts';

/** The person for whom Slack asks. `enterprise`: of the team, if it has one. */
export type Caller = { user: string; workspace: string; enterprise: string | undefined };

export type ToolQuestion = { question: string; webSearch: boolean };

/** `isError`: nothing was asked. */
export type ToolResponse = { text: string; blocks: AnyBlock[]; isError?: boolean };

export type SlackbotPorts = Uses<'findInstallation' | 'people' | 'links' | 'turns' | 'once' | 'now'> & {
  accept(id: string, question: Question): Promise<unknown>;
  buckets: Pick<TokenBuckets, 'take'>;
  /** The address where this person signs in, valid for them alone. */
  signInUrl(person: Question['asker'], workspace: string): Promise<string>;
};

/** MCP clients give up after 60 s unless told otherwise; Slack names no limit of its own. */
const WAIT_MS = 50_000;

const LOOK_EVERY_MS = 150;

/** Longer than a question can take: it may wait for ten minutes, and its answer may take fifteen. */
const CLAIM_MS = 30 * 60_000;

/** Per person: a model decides when to call, and may call in a loop. */
const RATE = { limit: 10, perMs: 60_000 };

/** Results that a sign-in can solve. */
const NEED_SIGN_IN = new Set<ToolAnswer['result']>(['sign_in_needed', 'sign_in_lost', 'account_unusable']);

/** After these results the service may have been asked. A repeated call must not ask it again. */
const MAY_BE_ASKED = new Set<'answer' | NoticeCode>([
  'answer',
  'interrupted',
  'outcome_unknown',
  'empty',
  'disengaged',
  'failed',
]);

const OTHER_TEAM = 'The assistant is not installed in this workspace, so nothing was asked.';

/**
 * Asks for `caller`, with a turn as in a direct message, and waits for the answer. A repeated call, on any replica, joins
 * the first one and gets its answer. Throws StoreUnavailableError.
 */
export async function askForSlackbot(
  caller: Caller,
  asked: ToolQuestion,
  ports: SlackbotPorts,
  signal: AbortSignal,
): Promise<ToolResponse> {
  const installation = await ports
    .findInstallation(caller.workspace, caller.enterprise)
    .catch((error: unknown): undefined => {
      if (!(error instanceof UnknownWorkspaceError)) throw error;
    });
  if (!installation) return { text: OTHER_TEAM, blocks: [], isError: true };
  const { team, workspace } = installation;
  const texts = textsOf(await ports.people.language(workspace, caller.user));
  const question = readAsked(caller, asked, installation);
  const link = await ports.links.get({ ...question.asker, purpose: 'assistant' });
  const digest = toDigest(question, link?.sealedTokens ? link.linkedAt : undefined);
  const { turnId, isKnown } = await claimTurn(team, digest, ports);
  const bucket = { ...RATE, key: `slackbot:${team}:${caller.user}` };
  const isTooOften = !isKnown && (await ports.buckets.take([bucket], 0)) > 0;
  if (isTooOften) return { ...toTextContent(texts.slackbot.tooOften), isError: true };
  // Each turn is a thread of its own, which nobody sees.
  const thread = turnId.slice(turnId.lastIndexOf(':') + 1);
  await ports.accept(turnId, { ...question, threadTs: thread, messageTs: thread });
  const answer = await waitFor(turnId, ports, signal);
  if (!answer) return toTextContent(texts.slackbot.working);
  if (!NEED_SIGN_IN.has(answer.result)) return answer;
  return withSignIn(answer, await ports.signInUrl(question.asker, workspace), texts);
}

function readAsked({ user }: Caller, asked: ToolQuestion, { team, workspace, botUserId }: Installation): Question {
  // Written as Slack would send it: with addresses marked, and the rest escaped.
  const runs = splitAddresses(asked.question.trim());
  const marked = runs.map((run) => (run.kind === 'link' ? `<${escapeMrkdwn(run.url)}>` : escapeMrkdwn(textOf(run))));
  const place = { channel: SLACKBOT, origin: 'slackbot', audience: 'person', startsThread: true } as const;
  const reading = readMessage({ text: marked.join('') }, { botUserId });
  return toQuestion(reading, { ...place, webSearch: asked.webSearch }, { person: { team, user }, workspace });
}

function textOf(run: ReturnType<typeof splitAddresses>[number]): string {
  return run.kind === 'user' ? run.id : run.text;
}

/**
 * Calls with the same digest are repetitions. The sign-in is part of it, so that after a sign-out nobody gets an older
 * answer.
 */
function toDigest({ asker, text, webSearch }: Question, linkedAt: number | undefined): string {
  const words = JSON.stringify([asker.team, asker.user, linkedAt, text, webSearch]);
  return createHash('sha256').update(words).digest('hex').slice(0, 32);
}

/**
 * The turn that answers this question of this person. Its id is stored before the turn is accepted, so that repeated calls
 * get the same one. If the service was not asked, or the answer is not kept any more, the next turn id is used. `isKnown`:
 * the turn was accepted before.
 */
async function claimTurn(team: string, digest: string, ports: SlackbotPorts) {
  for (let attempt = 0; ; attempt += 1) {
    const key = `slackbot-question:${team}:${digest}:${attempt}`;
    const turnId = await ports.once.claim(key, `slackbot:${team}:${randomUUID()}`, ports.now() + CLAIM_MS);
    // Read the turn first: its answer is stored before the turn is done.
    const turn = await ports.turns.get(turnId);
    const answer = await readToolAnswer(turnId, ports);
    const isOurs = answer ? MAY_BE_ASKED.has(answer.result) : turn?.stage !== 'done';
    if (isOurs) return { turnId, isKnown: turn !== undefined };
  }
}

/** Undefined: no answer in time, or the caller has disconnected. */
async function waitFor(turnId: string, ports: SlackbotPorts, signal: AbortSignal): Promise<ToolAnswer | undefined> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline && !signal.aborted) {
    const answer = await readToolAnswer(turnId, ports);
    if (answer) return answer;
    await sleep(LOOK_EVERY_MS);
  }
  return undefined;
}

function withSignIn(response: ToolResponse, url: string, texts: Texts): ToolResponse {
  const open = { type: 'actions' as const, elements: [buildSignInLink(url, texts)] };
  return { text: `${response.text}\n${url}`, blocks: [...response.blocks, open] };
}
