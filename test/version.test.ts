import { readFileSync } from 'node:fs';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from './app/app-process.ts';
import { startWorld, type World } from './app/world.ts';
import { seeDoctor } from './doctor/see-doctor.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

let world: World;
let app: AppProcess;
let opsPort: number;

beforeAll(async () => {
  world = await startWorld();
  opsPort = await claimPort();
  app = await startAppProcess({ ...world.environment, OPS_PORT: String(opsPort) });
});
afterAll(async () => {
  await app.kill('SIGKILL');
  await world.close();
});

it('the log names the version of package.json when the app has started', () => {
  const started = app.lines.find((line) => line.includes('"msg":"started"')) ?? '{}';

  expect(JSON.parse(started)).toMatchObject({ version });
});

it('the metrics have the version of package.json as a label', async () => {
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();

  expect(metrics.split('\n')).toContain(
    `assistant_bridge_build_info{version="${version}",node="${process.versions.node}"} 1`,
  );
});

it('the doctor begins with the version of package.json', async () => {
  const { report } = await seeDoctor(world);

  expect(report.split('\n')[0]).toBe(`Assistant Bridge ${version}`);
});
