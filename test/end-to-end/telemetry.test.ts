import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { CHANNEL, type LiveWorld, openLiveWorld, shareWorld, startLiveWorld } from './live-world.ts';

const SDK = new URL('./keep-spans.ts', import.meta.url).href;

type Span = {
  name: string;
  attributes: Record<string, unknown>;
  status: { code: number };
  spanId: string;
  parentId?: string;
};

const path = join(mkdtempSync(join(tmpdir(), 'spans-')), 'spans.jsonl');
const environment = { NODE_OPTIONS: `--import=${SDK}`, SPANS_FILE: path };

function readSpans(): Span[] {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Span);
}

const turnsEndedWith = (result: string) =>
  readSpans().filter(
    ({ name, attributes }) => name === 'turn' && attributes['assistant_bridge.turn.result'] === result,
  );

/** The status of a probe; 0 where nobody answers. */
async function probe(world: LiveWorld, path: '/health' | '/ready'): Promise<number> {
  const response = await fetch(world.publicUrl + path).catch(() => undefined);
  return response?.status ?? 0;
}

async function becomes(world: LiveWorld, path: '/health' | '/ready', wanted: number): Promise<void> {
  await expect.poll(() => probe(world, path)).toBe(wanted);
}

describe('operators of a process', () => {
  // With an SDK of OpenTelemetry in the process.
  const world = shareWorld<LiveWorld>((started) => startLiveWorld({ hasFigures: true, environment }, started));
  beforeAll(() => world.signIn('U0ANA'));
  afterAll(() => rmSync(dirname(path), { recursive: true }));

  it('see a question in the figures, and in one line of the log', async () => {
    const { question } = await world.askAndWait('what is said confidentially?');
    const isDone = () => world.logged('turn done').filter((line) => line.includes(question.ts));
    await world.slack.until(() => isDone().length > 0);

    const figures = await world.figures();

    expect(figures).toMatch(/^assistant_bridge_turns_total\{outcome="answered"\} 2$/m);
    expect(figures).toMatch(/^assistant_bridge_slack_events_total\{type="app_mention",result="acknowledged"\} 1$/m);
    expect(figures).toMatch(/^assistant_bridge_slack_api_total\{method="chat.postMessage",code="ok"\} [1-9]/m);
    expect(figures).toMatch(/^assistant_bridge_turns_unaccounted 0$/m);
    expect(figures).toContain(`assistant_bridge_build_info{version="${VERSION}",node="${process.versions.node}"} 1`);
    expect(world.logged('"msg":"started"')[0]).toContain(`"version":"${VERSION}"`);
    expect(isDone()).toHaveLength(1);
    const line = JSON.parse(isDone()[0] ?? '');
    expect(line).toMatchObject({ level: 'info', stage: 'done', result: 'answer', runs: 1, replica: hostname() });
    const { queueMs, firstByteMs, serviceMs, slackMs } = line;
    for (const part of [queueMs, firstByteMs, slackMs]) expect(part).toBeGreaterThanOrEqual(0);
    expect(serviceMs).toBeGreaterThanOrEqual(firstByteMs);
    expect(line.requestId).toMatch(/^[\w-]{8,}$/);
    const [whileSigningIn = ''] = world.logged('turn done');
    expect(JSON.parse(whileSigningIn).queueMs).toBeGreaterThan(0);
  });

  it('see the three events that Slack counts of a question in a channel, and one of a message between people', async () => {
    const count = async () => {
      const line = /^assistant_bridge_slack_deliveries_total\{workspace="w[0-9a-f]{8}"\} (\d+)$/m;
      return Number(line.exec(await world.figures())?.[1]);
    };
    const delivered = () => world.slack.ledger.deliveries({ delivery: 'event' }).length;
    const before = [await count(), delivered()];

    await world.askAndWait('and what else?');
    await world.slack.as('U0ANA').say(CHANNEL, 'lunch?');
    await world.slack.until(() => delivered() - Number(before[1]) === 4);

    expect((await count()) - Number(before[0])).toBe(4);
  });

  it('see a turn as a span, with the service’s requests and the calls to Slack in it', async () => {
    await world.slack.until(() => turnsEndedWith('answer').length > 0, { what: 'a span' });
    const turn = turnsEndedWith('answer')[0];
    const within = readSpans().filter(({ parentId }) => parentId === turn?.spanId);
    const names = within.map(({ name }) => name);
    expect(names).toContain('assistant create conversation');
    expect(names).toContain('assistant chat');
    expect(names.filter((name) => name.startsWith('slack chat.')).length).toBeGreaterThan(0);
  });

  it('see a span of a call that fails with its code', async () => {
    world.assistant.faults.next('504-html');
    await world.slack.as('U0ANA').say(world.slack.as('U0ANA').dm, 'and this fails');
    const findFailed = () => readSpans().find(({ name, status }) => name === 'assistant chat' && status.code === 2);

    const failed = await world.slack.until(findFailed, { what: 'the failed call' });

    expect(failed.attributes['error.type']).toMatch(/^[a-z_]+$/);
  });

  it('see a process that is ready while the assistant service is down', async () => {
    world.assistant.faults.always('503');

    await world.askAndWait('anybody there?');

    expect([await probe(world, '/ready'), await probe(world, '/health')]).toEqual([200, 200]);
    world.assistant.faults.clear();
  });

  it('see that it stops: it takes in until balancers have noticed, finishes what runs, and answers what comes later', async () => {
    await becomes(world, '/ready', 200);
    world.assistant.hold();
    const running = await world.ask('before the stop');
    await world.slack.until(() => world.assistant.held === 1);

    process.kill(world.app.pid, 'SIGTERM');
    await becomes(world, '/ready', 503);
    const question = await world.ask('just in time');
    world.assistant.release();

    expect(question.deliveries.map(({ status }) => status)).toEqual([200, 200]);
    expect(await world.app.ended).toBe(0);
    expect(await world.waitForReplies(running)).toEqual([expect.stringContaining('before the stop')]);
    expect(world.logged('"signal":"SIGTERM","msg":"stopping"')).toHaveLength(1);
    expect(JSON.parse(world.app.lines.at(-1) ?? '')).toMatchObject({
      msg: 'stopped',
      isDone: true,
      ms: expect.any(Number),
    });
    await world.restart();
    expect(await world.waitForReplies(question)).toHaveLength(1);
  });

  it('see no text, token or id of a person in a span', () => {
    const spans = readFileSync(path, 'utf8');

    expect(spans).not.toMatch(/confidentially|U0ANA|Ana|ana@|xoxb-|Bearer|eyJ/);
  });

  // Last: it ends the process.
  it('see that it ends at once on a second signal', async () => {
    world.assistant.hold();
    await world.ask('never answered');
    await world.slack.until(() => world.assistant.held === 1);
    process.kill(world.app.pid, 'SIGTERM');
    // A repetition within a second counts as the same stop: whole process groups are signalled.
    await sleep(1_200);

    await world.app.kill('SIGINT');

    // A stop that had waited for the question would end with 0.
    expect(await world.app.ended).toBe(1);
  });
});

it('operators see that the store is away, which a restart would not mend, and that it is back', async () => {
  const world = await openLiveWorld({ redis: true });
  await becomes(world, '/ready', 200);

  world.redis?.signal('SIGSTOP');
  await becomes(world, '/ready', 503);
  const health = await probe(world, '/health');
  world.redis?.signal('SIGCONT');

  await becomes(world, '/ready', 200);
  expect(health).toBe(200);
});
