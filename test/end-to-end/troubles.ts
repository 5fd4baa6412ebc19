// Everything that may tempt a process to print what it should not: sign-ins, refusals, broken services, forged requests,
// and a store that is away.
import { createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Json, Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { giveAdminCommand } from '../app/administer.ts';
import { findPrompt, openBrowserOf, passSignInPages, pressSignIn } from '../app/sign-in.ts';
import type { Canaries } from './canaries.ts';
import { CHANNEL, type LiveWorld } from './live-world.ts';

export type Troubled = {
  world: LiveWorld;
  canaries: Canaries;
  /** What is written and said, each recognisable. */
  words: Record<'question' | 'answer' | 'service' | 'forged' | 'file', string>;
  /** Does something while the store does not answer. */
  whileStoreIsAway(work: () => Promise<void>): Promise<void>;
};

export async function playTroubles(troubled: Troubled): Promise<void> {
  await askAndSignIn(troubled);
  await visitForged(troubled);
  await askThroughFaults(troubled);
  await askWithBadTokens(troubled);
  await askThroughBadSlack(troubled);
  await administer(troubled);
  await deliverNonsense(troubled);
  await troubled.whileStoreIsAway(() => deliverInVain(troubled));
  await troubled.canaries.addTokens(troubled.world);
}

async function askAndSignIn(troubled: Troubled): Promise<void> {
  const { world, words } = troubled;
  const { faults } = world.identityProvider;
  const question = await world.ask(`${words.question} https://acme.sharepoint.example/${words.file}.docx`);
  faults.next('access-denied');
  await signInAs('U0ANA', await findPrompt(world, 'U0ANA'), troubled);
  faults.next('html-502', { on: 'code' });
  await signInAs('U0ANA', await findPrompt(world, 'U0ANA'), troubled);
  await signInAs('U0ANA', await findPrompt(world, 'U0ANA'), troubled);
  await world.waitForReplies(question);
}

async function signInAs(user: SandboxUser, prompt: Message, { world, canaries }: Troubled): Promise<void> {
  const url = await pressSignIn(world, user, prompt);
  const browser = await openBrowserOf(world, user);
  await browser.open(url);
  canaries.addBrowser(browser);
  await passSignInPages(browser);
  canaries.addBrowser(browser);
}

async function visitForged({ world, words }: Troubled): Promise<void> {
  const browser = createBrowser();
  const paths = ['start?ticket=', 'account/callback?state=x&code=', 'slack/callback?code=x&state=', 'nowhere?'];
  for (const path of paths) await browser.open(`${world.publicUrl}/link/${path}${words.forged}`);
}

async function askThroughFaults(troubled: Troubled): Promise<void> {
  const { world, words } = troubled;
  const { faults } = world.assistant;
  const known = [
    '403-licence',
    '500',
    '504-html',
    'cut-answer',
    'not-json',
    'huge-body',
    'stream-error-event',
  ] as const;
  for (const fault of known) {
    faults.next(fault);
    await askAndWait(troubled);
  }
  for (const status of [400, 401, 403, 500]) {
    faults.next(({ response, chat }) => {
      const error = { code: 'OutOfOrder', message: `${words.service} ${chat.text}` };
      response.writeHead(status, { 'www-authenticate': `Bearer error_description="${words.service}"` });
      response.end(JSON.stringify({ error }));
    });
    await askAndWait(troubled);
  }
  faults.next(({ response, chat }) => void response.end(`{"text": "${chat.text} ${words.answer}`));
  await askAndWait(troubled);
}

async function askAndWait({ world, words }: Troubled): Promise<void> {
  await world.askAndWait(words.question);
}

async function askWithBadTokens(troubled: Troubled): Promise<void> {
  const { world, words, canaries } = troubled;
  const { identityProvider } = world;
  await canaries.addTokens(world);
  identityProvider.expireAccessTokens('ana');
  identityProvider.faults.next('temporarily-unavailable', { on: 'refresh' });
  await askAndWait(troubled);
  await canaries.addTokens(world);
  identityProvider.expireAccessTokens('ana');
  identityProvider.revoke('ana');
  const question = await world.ask(words.question);
  await signInAs('U0ANA', await findPrompt(world, 'U0ANA'), troubled);
  await world.waitForReplies(question);
  await canaries.addTokens(world);
}

async function askThroughBadSlack(troubled: Troubled): Promise<void> {
  const { faults } = troubled.world.slack;
  const response = { detail: troubled.words.service };
  faults.next('agents.sessions.setStatus', { kind: 'slackError', error: 'channel_not_found', response });
  faults.next('chat.postMessage', { kind: 'slackError', error: 'internal_error', response });
  await askAndWait(troubled);
  faults.next('chat.postMessage', { kind: 'html', status: 502, after: true });
  await askAndWait(troubled);
  faults.next('chat.postMessage', { kind: 'rateLimited', retryAfterSeconds: 1 });
  await askAndWait(troubled);
  faults.next('chat.postMessage', { kind: 'resetAfterProcessing' });
  await askAndWait(troubled);
}

async function administer(troubled: Troubled): Promise<void> {
  const { world, words } = troubled;
  await signInAs('U0KIM', await giveAdminCommand(world, 'U0KIM', 'sign-in'), troubled);
  for (const fault of ['500', 'not-json', '403'] as const) {
    world.admin.faults.next(fault);
    await giveAdminCommand(world, 'U0KIM', `agents ${words.question}`);
  }
  await giveAdminCommand(world, 'U0KIM', 'agents');
}

const ENVELOPE: Json = { type: 'event_callback', team_id: 'T0001', context_team_id: 'T0001', event_id: 'E1' };
const MESSAGE: Json = { type: 'message', channel_type: 'im', user: 'U0ANA' };

async function deliverNonsense({ world: { slack }, words: { forged } }: Troubled): Promise<void> {
  const event = { ...MESSAGE, text: forged, channel: forged, ts: forged };
  await slack.deliver(`{"text": "${forged}`, { contentType: 'application/json' });
  await slack.deliver({ ...ENVELOPE, event }, { signature: 'wrong' });
  await slack.deliver({ ...ENVELOPE, event });
  await slack.deliver({ ...ENVELOPE, team_id: 'T0UNKNOWN', context_team_id: 'T0UNKNOWN', event });
  const responseUrl = `https://hooks.slack.com/actions/T1/1/${forged}`;
  const click = { type: 'block_actions', user: { id: 'U0ANA', name: forged }, response_url: responseUrl, actions: [] };
  await slack.deliver(click, { kind: 'interaction' });
}

async function deliverInVain({ world: { slack }, words: { question } }: Troubled): Promise<void> {
  const ana = slack.as('U0ANA');
  const ts = `${Math.floor(Date.now() / 1000)}.000001`;
  await slack.deliver({ ...ENVELOPE, event: { ...MESSAGE, channel: ana.dm, text: question, ts } });
  await ana.command('/assistant-web-off', question, CHANNEL);
}
