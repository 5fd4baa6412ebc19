import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd, startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../../src/doctor/check.ts';
import { askDoctor, giveAdminCommand } from '../app/administer.ts';
import { type AppProcess, toBundled } from '../app/app-process.ts';
import { findPrompt } from '../app/sign-in.ts';
import { runScript } from '../run-script.ts';
import { CHANNEL } from './live-world.ts';
import { HOSTS, startWalledWorld, type WalledWorld } from './walled-world.ts';

let world: WalledWorld;

beforeAll(async () => {
  world = await startWalledWorld();
});
afterEach(() => world.proxy.refuse(undefined));
afterAll(() => world.close());

/** The doctor, beside the app or not, with the variables that it is given besides those of the world. */
async function runDoctor(environment: Record<string, string>, cwd = world.folder) {
  return runScript(['doctor.ts'], { ...world.environment, SLACK_BUDGETS: 'documented', ...environment }, { cwd });
}

const MAIN = toBundled(fileURLToPath(new URL('../../src/main.ts', import.meta.url)));

/** What a start has logged by the time it waits for Slack. */
async function readWaiting(environment: Record<string, string>): Promise<string> {
  const env = { ...world.environment, ...environment };
  const child = startChild(process.execPath, [MAIN], { cwd: world.folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    if (printed.includes('start waits for slack')) break;
  }
  child.kill('SIGKILL');
  return printed;
}

const toSource = (file: string) => new URL(`../../src/${file}`, import.meta.url).href;

const port443 = (...names: (keyof typeof HOSTS)[]) => names.map((name) => `${HOSTS[name]}:443`).sort();

describe('with no way out but a proxy, and certificates of a private authority', () => {
  let app: AppProcess;

  beforeAll(async () => {
    app = await world.startApp({ ...world.wayOut, ...world.trust });
  });

  it('people sign in and are answered, admins get their lists, and clicks their replies', async () => {
    const { slack } = world;
    const ana = slack.as('U0ANA');
    await ana.say(ana.dm, 'sign me in');
    expect(await world.signIn('U0ANA', await findPrompt(world, 'U0ANA'))).toBe('Your accounts are connected');
    const question = await ana.say(CHANNEL, `${slack.mention} and this through the proxy`);
    const reply = await slack.until(() => ana.sees(CHANNEL, question.ts).find(({ botId }) => botId), {
      what: 'the answer',
    });
    expect(slack.render(reply)).toContain('and this through the proxy');

    const prompt = await giveAdminCommand(world, 'U0KIM', 'sign-in');
    expect(await world.signIn('U0KIM', prompt)).toBe('Your accounts are connected');
    expect(slack.render(await giveAdminCommand(world, 'U0KIM', 'agents'))).toContain('6 agents');

    const posts = () => slack.ledger.calls('response_url').length;
    const before = posts();
    const shown = await ana.command('/assistant', 'sign-in', 'C0RANDOM');
    slack.faults.next('views.open', { kind: 'slackError', error: 'expired_trigger_id' });
    await ana.click(shown.reply as Message, 'Sign in');
    await slack.until(() => posts() > before, { what: 'a post to a response_url' });
    expect(world.askedHosts()).toEqual(port443('slack', 'assistant', 'login', 'admin'));
    expect(app.lines.join('\n')).not.toMatch(/no connection|p@ss|p%40ss/);
  });

  it('the doctor finds nothing wrong beside it', async () => {
    const { identityProvider, slack } = world;
    identityProvider.registerRedirectUri(`https://${HOSTS.bridge}/link/account/callback`);
    slack.openId.redirectUrls.add(`https://${HOSTS.bridge}/link/slack/callback`);
    await slack.verifyUrl();

    const { status, report } = await runDoctor({
      ...world.wayOut,
      ...world.trust,
      PUBLIC_URL: `https://${HOSTS.bridge}`,
    });

    expect(report).toContain(
      `✓ Calls to https addresses go through the proxy at ${world.proxy.host}, except to Redis and loopback`,
    );
    expect(report).toContain(`✓ It can be reached at https://${HOSTS.bridge}`);
    expect(report).toMatch(/✓ The assistant service at \S+ answers in \d+ ms, with a certificate .* for 36\d days/);
    expect(report).toMatch(/✓ Slack accepts SLACK_CLIENT_ID and SLACK_CLIENT_SECRET/);
    expect(report).toMatch(/All is well\.\n$/);
    expect(report).not.toMatch(/p@ss|p%40ss|wörd/);
    expect(status).toBe(0);
  });

  it('the doctor in Slack goes the same way, and shows no password', async () => {
    const text = await askDoctor(world, 'U0KIM');

    expect(text).toMatch(/In order: .*Slack \(2 checks\), Services \(5 checks\), Sign-in/);
    expect(text).not.toMatch(/p@ss|p%40ss|wörd/);
  });
});

describe('the doctor', () => {
  it('says that the proxy is missing where there is none, and nothing of certificates', async () => {
    const { status, report } = await runDoctor(world.trust);

    expect(status).toBe(1);
    for (const who of ['Slack cannot be reached', 'The assistant service', 'The identity provider']) {
      expect(report).toMatch(new RegExp(`✗ ${who} .* \\((ENOTFOUND|EAI_AGAIN)\\)\\. .* set HTTPS_PROXY`));
    }
    expect(report).not.toContain('Node does not know the authority');
  });

  it('says that the authority is missing where it is, by the code, and nothing of a proxy', async () => {
    const { status, report } = await runDoctor(world.wayOut);

    expect(status).toBe(1);
    for (const who of ['Slack cannot be reached', 'The assistant service', 'The identity provider']) {
      expect(report).toMatch(new RegExp(`✗ ${who} .*UNABLE_TO_VERIFY_LEAF_SIGNATURE.* set NODE_EXTRA_CA_CERTS`));
    }
    expect(report).toMatch(/Could not be checked: AUTH_ISSUER.*UNABLE_TO_VERIFY_LEAF_SIGNATURE/);
    expect(report).not.toContain('set HTTPS_PROXY');
  });

  it('takes the proxy in small letters, and both from a file .env', async () => {
    const folder = mkdtempSync(join(world.folder, 'configured-'));
    const { HTTPS_PROXY = '' } = world.wayOut;
    const { NODE_EXTRA_CA_CERTS = '' } = world.trust;
    const lines = [`https_proxy='${HTTPS_PROXY}'`, `NODE_EXTRA_CA_CERTS='${NODE_EXTRA_CA_CERTS}'`];
    writeFileSync(join(folder, '.env'), lines.join('\n'));

    const { report } = await runDoctor({}, folder);

    expect(report).toMatch(/✓ The assistant service at \S+ answers in \d+ ms, with a certificate/);
    expect(report).toMatch(/✓ Slack accepts SLACK_BOT_TOKEN/);
  });

  it('trusts the authority in the thread of the app as well, where a file .env names it', async () => {
    const folder = mkdtempSync(join(world.folder, 'configured-'));
    writeFileSync(join(folder, '.env'), `NODE_EXTRA_CA_CERTS='${world.trust.NODE_EXTRA_CA_CERTS}'`);
    const script = `
      import { loadConfig } from '${toSource('config.ts')}';
      import { createExamination } from '${toSource('doctor/examine-in-worker.ts')}';
      const wait = setInterval(() => undefined, 1_000);
      const sections = await createExamination(loadConfig())();
      clearInterval(wait);
      console.log(JSON.stringify(sections.find(({ title }) => title === 'Services').findings));
    `;

    const { stdout } = await runToEnd(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: { ...world.environment, ...world.wayOut },
    });

    const levels = (JSON.parse(stdout) as Finding[]).map(({ level }) => level);
    expect(levels).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  });
});

describe('a proxy in the environment', () => {
  it('takes precedence over one in a file .env, however the two are spelled', async () => {
    const folder = mkdtempSync(join(world.folder, 'configured-'));
    writeFileSync(join(folder, '.env'), 'https_proxy=http://127.0.0.1:1');

    const { report } = await runDoctor({ ...world.wayOut, ...world.trust }, folder);

    expect(report).toContain(`✓ Calls to https addresses go through the proxy at ${world.proxy.host}`);
  });
});

describe('a certificate', () => {
  /** What an app in such a network needs. */
  async function open(expiresAt: number): Promise<Record<string, string>> {
    const other = await startWalledWorld({ expiresAt });
    onTestFinished(() => other.close());
    return { ...other.environment, ...other.wayOut, ...other.trust };
  }

  it('that is soon over is warned of', async () => {
    const { report } = await runDoctor(await open(Date.now() + 5.5 * 24 * 3_600_000));

    expect(report).toMatch(/! The assistant service .* but its certificate is valid for only 5 more days\./);
  });

  it('that cannot be used is named by its code: CERT_HAS_EXPIRED', async () => {
    const environment = await open(Date.now() - 3_600_000);
    const { report } = await runDoctor(environment);
    const start = await readWaiting(environment);

    expect(report).toMatch(/✗ The assistant service .*CERT_HAS_EXPIRED/);
    expect(report).toMatch(/has expired\. If this machine/);
    expect(start).toContain(
      `Slack cannot be reached at https://${HOSTS.slack}/api/ (CERT_HAS_EXPIRED; SLACK_API_URL).`,
    );
  });
});
