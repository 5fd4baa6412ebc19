import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LiveWorld, startLiveWorld } from './live-world.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

describe('the process', () => {
  let world: LiveWorld;

  beforeEach(async () => {
    world = await startLiveWorld();
    await world.signIn('U0ANA');
  });
  afterEach(() => world.close());

  it('on SIGTERM finishes what runs, then ends with 0', async () => {
    world.assistant.onChat(() => new Promise((resolve) => setTimeout(resolve, 700)));
    const question = await world.ask('before the stop');
    await world.slack.until(() => world.assistant.ledger.chats().length === 1);

    await world.app.kill('SIGTERM');

    expect(await world.app.ended).toBe(0);
    expect(world.repliesIn(question).map((message) => world.slack.render(message))).toEqual([
      expect.stringContaining('before the stop'),
    ]);
  });

  it('on a second signal ends at once', async () => {
    world.assistant.hold();
    await world.ask('never answered');
    await world.slack.until(() => world.assistant.held === 1);
    process.kill(world.app.pid, 'SIGTERM');
    // A repetition within a second counts as the same stop: whole process groups are signalled.
    await new Promise((resolve) => setTimeout(resolve, 1_200));

    await world.app.kill('SIGINT');

    // A stop that had waited for the question would end with 0.
    expect(await world.app.ended).toBe(1);
  });
});

describe('a wrong configuration', () => {
  it('ends the start with one line a problem, and no secret', async () => {
    const { status, stderr } = await runToEnd(process.execPath, [MAIN], {
      cwd: tmpdir(),
      env: {
        PORT: 'many',
        ENCRYPTION_KEYS: 'k1:c2VjcmV0',
        PUBLIC_URL: 'http://bridge.example',
      },
    });

    expect(status).toBe(1);
    expect(stderr).toMatch(/^- PORT has to be a whole number/m);
    expect(stderr).toMatch(/^- Set SLACK_BOT_TOKEN for one workspace/m);
    expect(stderr).toMatch(/^- ENCRYPTION_KEYS entry 1 has 6 bytes instead of 32; .* makes a key\.$/m);
    expect(stderr).toMatch(/^- PUBLIC_URL .* plain http is accepted on loopback only/m);
    expect(stderr).toMatch(/^- SLACK_SIGNING_SECRET is missing\. Proves that/m);
    expect(stderr).toMatch(/^- SLACK_CLIENT_ID is missing\. .* Basic Information → App Credentials → Client ID\.$/m);
    expect(stderr).toMatch(/^- SLACK_CLIENT_SECRET is missing\. .* → Client Secret\.$/m);
    expect(stderr).not.toContain('c2VjcmV0');
    expect(stderr).not.toContain('at readConfig');
  });
});
