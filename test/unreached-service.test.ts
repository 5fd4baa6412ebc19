import { expect, it } from 'vitest';
import { startAppProcess } from './app/app-process.ts';
import { startWorld } from './app/world.ts';
import { findClosedUrl } from './http/loopback.ts';

it('an app whose assistant service is not there starts, and says so in its log', async () => {
  const world = await startWorld();
  const app = await startAppProcess({ ...world.environment, ASSISTANT_BASE_URL: await findClosedUrl() });

  const find = () => app.lines.find((line) => line.includes('assistant service not reached'));
  await expect.poll(find).toBeDefined();
  await app.kill('SIGKILL');
  await world.close();

  expect(JSON.parse(find() ?? '')).toMatchObject({
    level: 'warn',
    sentence: expect.stringMatching(/cannot be reached \(ECONNREFUSED\).*Check ASSISTANT_BASE_URL\.$/),
  });
});
