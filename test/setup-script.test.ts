// `npm run setup`, as a person uses it: a process of its own, in a folder of its own, against the stand-ins.
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildManifest } from '../manifest/manifest.ts';
import { startAppProcess, toBundled } from './app/app-process.ts';
import { signIn } from './app/sign-in.ts';
import { startWorld, type World } from './app/world.ts';

const SETUP = toBundled(fileURLToPath(new URL('../scripts/setup.ts', import.meta.url)));

let world: World;

beforeEach(async () => {
  world = await startWorld({ transport: 'http' });
});
afterEach(() => world.close());

describe('npm run setup', () => {
  it('asks for each value, and writes a configuration with which the app answers', async () => {
    const setup = startSetup();
    await setup.answerAll(rightAnswers());
    const { status } = await setup.ended;

    expect(setup.screen()).toContain('0 errors');
    expect(status).toBe(0);
    expect(statSync(join(world.folder, '.env')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(world.folder, 'manifest.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(buildManifest({ publicUrl: world.publicUrl }))),
    );
    expect(await askFirstQuestion()).toContain('The team notes name an owner');
  });

  it('says what is wrong with a value as soon as it is entered, and asks again', async () => {
    const { slack, identityProvider, assistant } = world;
    const setup = startSetup();
    await setup.answerAll([
      ['Address', 'bridge.example.com', 'PUBLIC_URL has to be an https address'],
      ['Address', world.publicUrl],
      ['Can Slack reach it', ''],
      ['Client ID', slack.clientId],
      ['Client Secret', 'not-the-secret', 'Slack refuses SLACK_CLIENT_SECRET (bad_client_secret)'],
      ['Enter SLACK_CLIENT_SECRET again?', ''],
      ['Client Secret', slack.clientSecret],
      ['Signing Secret', slack.botToken, 'looks like a bot token'],
      ['Signing Secret', slack.signingSecret],
      ['Bot User OAuth Token', 'xoxb-another', 'Slack does not accept SLACK_BOT_TOKEN (invalid_auth)'],
      ['Enter this again?', ''],
      ['Bot User OAuth Token', slack.botToken],
      ['Address', 'http://127.0.0.1:1', 'The identity provider at http://127.0.0.1:1 cannot be reached'],
      ['Enter AUTH_URL again?', ''],
      ['Address', identityProvider.url],
      ['Tenant', identityProvider.tenant],
      ['Client id', 'another-client'],
      ['Client secret', identityProvider.clientSecret],
      ['Scope', world.environment.ASSISTANT_SCOPE ?? '', 'The identity provider refuses AUTH_CLIENT_ID'],
      ['Enter AUTH_CLIENT_ID again?', ''],
      ['Client id', identityProvider.clientId],
      ['Address', `${assistant.url}/nowhere`, 'has no /nowhere/rest/conversations'],
      ['Enter ASSISTANT_BASE_URL again?', ''],
      ['Address', assistant.url],
      ['Address of the administrative interface', ''],
      ['Who may use', ''],
      ['Address of Redis', 'redis://127.0.0.1:1', '(REDIS_URL) cannot be reached'],
      ['Enter this again?', ''],
    ]);
    setup.end();
    await setup.ended;

    expect(setup.screen()).not.toContain(slack.clientSecret);
  });

  it('asks again only for what was refused, also for the address, and writes the manifest for that', async () => {
    const setup = startSetup();
    await setup.answer('Address', 'https://elsewhere.example.com');
    await setup.answerAll(rightAnswers().slice(1, 11));
    await setup.sees('refuses PUBLIC_URL (invalid_redirect_uri)');
    await setup.answer('Enter PUBLIC_URL again?', '');
    await setup.answer('Address [https://elsewhere.example.com]', world.publicUrl);
    await setup.sees('paste it under App Manifest');
    await setup.sees(`${world.publicUrl}/link/account/callback`);
    await setup.answerAll(rightAnswers().slice(11));
    const { status } = await setup.ended;

    expect(status).toBe(0);
    expect(setup.screen().match(/ {2}(Tenant|Client id|Client secret|Scope)\b/g)).toHaveLength(4);
    expect(readFileSync(join(world.folder, 'manifest.json'), 'utf8')).toContain(`${world.publicUrl}/slack/events`);
  });

  it('goes on where it was left, and looks again at what was entered', async () => {
    const { slack } = world;
    const first = startSetup();
    await first.answer('Address', world.publicUrl);
    await first.answer('Can Slack reach it', '');
    await first.answer('Client ID', slack.clientId);
    await first.sees('Client Secret');
    first.kill();
    await first.ended;

    const second = startSetup();
    await second.answerAll(rightAnswers().slice(3));
    const { status } = await second.ended;

    expect(status).toBe(0);
    expect(second.screen()).not.toContain('Client ID:');
  });

  it('keeps the rest of a file that is there already, asks for its placeholders, and again for what is named', async () => {
    const file = join(world.folder, '.env');
    writeFileSync(file, '# ours\nSLACK_BOT_TOKEN=<xoxb-…>\nLOG_LEVEL=warn # why\n# REDIS_URL=\n', { mode: 0o644 });
    const setup = startSetup();
    await setup.answerAll(rightAnswers());
    await setup.ended;

    const text = readFileSync(file, 'utf8');
    expect(text.split('\n').slice(0, 4)).toEqual([
      '# ours',
      `SLACK_BOT_TOKEN=${world.slack.botToken}`,
      'LOG_LEVEL=warn # why',
      'REDIS_URL=',
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = startSetup('ASSISTANT_BASE_URL');
    await again.answer('Address [', world.assistant.url);
    const { status } = await again.ended;

    expect(status).toBe(0);
  });

  it('wants no bot token where workspaces are to install the app', async () => {
    writeFileSync(join(world.folder, '.env'), 'SLACK_ALLOWED_TEAMS=T0ACME\n');
    const setup = startSetup();
    await setup.answerAll(rightAnswers().filter(([prompt]) => !prompt.startsWith('Bot User')));
    const { status } = await setup.ended;

    expect(setup.screen()).toContain('No workspace has installed the app yet.');
    expect(status).toBe(0);
  });

  it('names an argument that it does not know', async () => {
    const setup = startSetup('SLACK_TOKEN');
    const { status } = await setup.ended;

    expect(status).toBe(1);
    expect(setup.screen()).toContain('SLACK_TOKEN is no variable of this app.');
  });
});

/** `seen`: what the screen says of it. */
type Answer = [prompt: string, answer: string, seen?: string];

function rightAnswers(): Answer[] {
  const { slack, identityProvider, assistant, admin, environment } = world;
  return [
    ['Address', world.publicUrl],
    ['Can Slack reach it', ''],
    ['Client ID', slack.clientId],
    ['Client Secret', slack.clientSecret],
    ['Signing Secret', slack.signingSecret],
    ['Bot User OAuth Token', slack.botToken],
    ['Address', identityProvider.url],
    ['Tenant', identityProvider.tenant],
    ['Client id', identityProvider.clientId],
    ['Client secret', identityProvider.clientSecret],
    ['Scope', environment.ASSISTANT_SCOPE ?? ''],
    ['Address', assistant.url],
    ['Address of the administrative interface', admin.url],
    ['Its scope', environment.ADMIN_SCOPE ?? ''],
    ['Who may use', 'U0KIM'],
    ['Address of Redis', ''],
  ];
}

/** Its screen, and a person who answers only what is asked. */
function startSetup(...args: string[]) {
  const child = startChild(process.execPath, [SETUP, ...args], {
    cwd: world.folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { SLACK_API_URL: world.slack.apiUrl, OPS_PORT: '0' },
  });
  let screen = '';
  let seenTo = 0;
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (screen += chunk));
  const sees = async (text: string) => {
    await expect.poll(() => screen.slice(seenTo), { message: text }).toContain(text);
    seenTo = screen.indexOf(text, seenTo) + text.length;
  };
  /** A prompt is the last that is on the screen, without a line break. */
  const answer = async (prompt: string, text: string) => {
    await expect.poll(() => screen.slice(seenTo).split('\n').at(-1) ?? '', { message: prompt }).toContain(prompt);
    seenTo = screen.length;
    child.stdin?.write(`${text}\n`);
  };
  return {
    sees,
    answer,
    async answerAll(answers: Answer[]) {
      for (const [prompt, text, seen] of answers) {
        await answer(prompt, text);
        if (seen) await sees(seen);
      }
    },
    end: () => child.stdin?.end(),
    kill: () => child.kill('SIGKILL'),
    screen: () => screen,
    ended: once(child, 'close').then(([status]) => ({ status: status as number | null })),
  };
}

async function askFirstQuestion(): Promise<string> {
  const written = parseEnv(readFileSync(join(world.folder, '.env'), 'utf8')) as Record<string, string>;
  const { SLACK_API_URL = '', PORT = '', SQLITE_PATH = '' } = world.environment;
  const app = await startAppProcess({
    SLACK_API_URL,
    PORT,
    SQLITE_PATH,
    SLACK_BUDGETS: 'off',
    OPS_PORT: '0',
    ...written,
  });
  const ana = world.slack.as('U0ANA');
  const question = await ana.say('C0GENERAL', `${world.slack.mention} what is the plan?`);
  await signIn(world, 'U0ANA');
  const answer = await world.slack.until(() => ana.sees('C0GENERAL', question.ts)[1]);
  await app.kill('SIGTERM');
  return world.slack.render(answer);
}
