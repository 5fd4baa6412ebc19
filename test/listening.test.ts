// Which addresses of the machine the app listens on. All of 127.0.0.0/8 is this machine, each an address of its own.
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from './app/app-process.ts';
import { startWorld, type World } from './app/world.ts';
import { seeDoctor } from './doctor/see-doctor.ts';
import { findClosedUrl } from './http/loopback.ts';

let world: World;
let app: AppProcess | undefined;
let opsPort: number;

beforeEach(async () => {
  world = await startWorld();
  opsPort = await claimPort();
});
afterEach(async () => {
  await app?.kill('SIGKILL');
  await world.close();
});

async function start(environment: Record<string, string> = {}) {
  app = await startAppProcess({ ...world.environment, OPS_PORT: String(opsPort), ...environment });
}

const isAnswered = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** Whether the app answers at this address: on PORT, and on OPS_PORT. */
async function seeAt(address: string) {
  const { PORT } = world.environment;
  return {
    slack: await isAnswered(`http://${address}:${PORT}/health`),
    metrics: await isAnswered(`http://${address}:${opsPort}/metrics`),
  };
}

it('Slack’s port is open on all, the metrics for this machine alone', async () => {
  await start();

  expect(await seeAt('127.0.0.1')).toEqual({ slack: true, metrics: true });
  expect(await seeAt('127.0.0.2')).toEqual({ slack: true, metrics: false });
});

it('both are open where HOST and OPS_HOST say, and the doctor looks there', async () => {
  const REDIS_URI = 'redis://:hush@127.0.0.1';
  await start({ HOST: '127.0.0.2', OPS_HOST: '*', ASSISTANT_BASE_URL: await findClosedUrl(), REDIS_URI });

  expect(await seeAt('127.0.0.1')).toEqual({ slack: false, metrics: true });
  expect(await seeAt('127.0.0.2')).toEqual({ slack: true, metrics: true });
  const { report } = await seeDoctor(world, { OPS_PORT: String(opsPort), HOST: '127.0.0.2', OPS_HOST: '*' });
  expect(report).toContain('and is ready.');
  expect(report).toContain('The app on this machine is the same release');
  // What else a start says in its log, and goes on: a misspelt variable, and a service that is not there.
  await expect.poll(() => app?.lines.join('\n')).toMatch(/"level":"warn".*assistant service not reached/);
  const said = app?.lines.join('\n');
  expect(said).toMatch(/cannot be reached \(ECONNREFUSED\).*Check ASSISTANT_BASE_URL\./);
  expect(said).toMatch(/"level":"warn".*"reason":"REDIS_URI is not a variable .* REDIS_URL, rename it\."/);
  expect(said).not.toContain('hush');
});
