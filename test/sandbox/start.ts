// `npm run sandbox`: the local world alone, at fixed addresses, for any other Slack app or client of the two services.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { createSimulatedAnswer } from './assistant/simulated-answer.ts';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from './loopback/scopes.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import type { Json } from './slack/records.ts';
import { createPanel } from './workspace/panel/create-panel.ts';
import { prepareWorkspace } from './workspace/prepare-workspace.ts';
import { startWorkspace, WITH_PEOPLE } from './workspace/start-workspace.ts';

const USAGE = `Usage: npm run sandbox -- [options]

  --slack 4010 --assistant 4011 --identity 4012 --admin 4013   the ports of the four services
  --workspace 4014                                             the port of the page in which people act
  --events http://127.0.0.1:3000/slack/events                  where your app takes events, commands and interactions
  --redirect http://127.0.0.1:3000/callback                    where sign-in may lead back to; more than one is fine
  --socket                                                     your app uses Socket Mode instead
  --ask                                                        sign-ins ask who one is, and whether one agrees
  --manifest manifest.json                                     your app's manifest, as JSON or YAML: it may do no more
  --help                                                       prints this`;

const options = readOptions();
const world = await start();
prepareWorkspace(world);
const page = await claim(() => startWorkspace(world, { port: options.workspace, panel: createPanel(world) }));
printAddresses(world);
watchUnheard(world);
await interrupted();
await page.close();
await world.close();
process.exit(0);

function readOptions() {
  const port = (value: string) => ({ type: 'string', default: value }) as const;
  try {
    const { values } = parseArgs({
      options: {
        slack: port('4010'),
        assistant: port('4011'),
        identity: port('4012'),
        admin: port('4013'),
        workspace: port('4014'),
        events: { type: 'string', default: 'http://127.0.0.1:3000/slack/events' },
        redirect: { type: 'string', multiple: true, default: ['http://127.0.0.1:3000/callback'] },
        socket: { type: 'boolean', default: false },
        ask: { type: 'boolean', default: false },
        manifest: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const ports = [values.slack, values.assistant, values.identity, values.admin].map(toPort);
    for (const address of [values.events, ...values.redirect]) requireAddress(address);
    const { events, redirect, socket, ask } = values;
    const manifest = values.manifest === undefined ? undefined : readManifest(values.manifest);
    return { ports, workspace: toPort(values.workspace), events, redirect, socket, ask, manifest };
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`“${text}” is no port: give a number up to 65535.`);
  return port;
}

function readManifest(file: string): Json {
  const manifest: unknown = parse(readFileSync(file, 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
    throw new Error(`“${file}” holds no manifest.`);
  return manifest as Json;
}

function requireAddress(text: string): void {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) throw new Error(`“${text}” is no http address.`);
}

function start(): Promise<Sandbox> {
  const [slack = 0, assistant = 0, identity = 0, admin = 0] = options.ports;
  return claim(() =>
    startSandbox({
      app: {
        eventsUrl: options.events,
        redirectUris: options.redirect,
        manifest: options.manifest,
        isSocketMode: options.socket,
      },
      slack: { port: slack, retry: 'documented', ...(options.ask && WITH_PEOPLE.slack) },
      assistant: { port: assistant, answer: createSimulatedAnswer(), stepMs: 100 },
      identityProvider: { port: identity, ...(options.ask && WITH_PEOPLE.identityProvider) },
      admin: { port: admin },
    }),
  );
}

/** Says which port is taken. */
async function claim<Started>(begin: () => Promise<Started>): Promise<Started> {
  try {
    return await begin();
  } catch (error) {
    const { code, port } = error as NodeJS.ErrnoException & { port?: number };
    if (code !== 'EADDRINUSE') throw error;
    return fail(`Port ${port} is taken: end what uses it, or choose other ports.\n\n${USAGE}`);
  }
}

function printAddresses({ slack, assistant, identityProvider, admin }: Sandbox): void {
  const services = [
    ['Workspace', page.url, 'open it: people act there'],
    ['Slack', slack.url, `${slack.apiUrl}chat.postMessage`],
    ['Assistant service', assistant.url, 'POST /rest/conversations'],
    ['Identity provider', identityProvider.url, `${identityProvider.issuer}/.well-known/openid-configuration`],
    ['Administrative interface', admin.url, 'roles: kim and lee are administrators'],
  ];
  for (const cells of services) console.log(cells.map((cell, index) => cell.padEnd([26, 24][index] ?? 0)).join(''));
  const environment: Record<string, string> = {
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    ...(options.socket ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    SLACK_CLIENT_ID: slack.clientId,
    SLACK_CLIENT_SECRET: slack.clientSecret,
    ASSISTANT_BASE_URL: assistant.url,
    ASSISTANT_SCOPE,
    AUTH_URL: identityProvider.url,
    AUTH_TENANT_ID: identityProvider.tenant,
    AUTH_CLIENT_ID: identityProvider.clientId,
    AUTH_CLIENT_SECRET: identityProvider.clientSecret,
    ADMIN_API_BASE_URL: admin.url,
    ADMIN_SCOPE,
  };
  console.log('');
  for (const [name, value] of Object.entries(environment)) console.log(`${name}=${value}`);
  console.log(
    `\nYour app: ${options.socket ? 'Socket Mode' : options.events}. Sign-in leads back to ${options.redirect.join(', ')}.`,
  );
  console.log(`A browser is Ana after ${slack.url}/sandbox/login?user=U0ANA and ${identityProvider.loginUrl('ana')}`);
  console.log('Ctrl-C ends everything.');
}

/** Says each time that the app does not take what happens: Slack itself shows nothing. */
function watchUnheard({ slack }: Sandbox): void {
  let told = 0;
  slack.changed.listen(() => {
    const failed = slack.ledger.deliveries({ delivery: 'event' }).filter((one) => one.attempt === 1 && one.error);
    if (failed.length === told) return;
    told = failed.length;
    const { isSocketMode, eventsUrl } = slack.registration;
    const where = isSocketMode ? 'over Socket Mode' : `at ${eventsUrl}`;
    console.log(
      `The app does not answer ${where} (${failed.at(-1)?.error}). Is it running? Slack sends this again after one minute, and after five.`,
    );
  });
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
