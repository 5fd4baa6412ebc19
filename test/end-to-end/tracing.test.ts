import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { signIn } from '../app/sign-in.ts';
import { startWorld, type World } from '../app/world.ts';

const SDK = new URL('./keep-spans.ts', import.meta.url).href;

type Span = {
  name: string;
  attributes: Record<string, unknown>;
  status: { code: number };
  spanId: string;
  parentId?: string;
};

let world: World;
let app: AppProcess;
let path: string;

beforeAll(async () => {
  world = await startWorld();
  path = join(world.folder, 'spans.jsonl');
  app = await startAppProcess({ ...world.environment, NODE_OPTIONS: `--import=${SDK}`, SPANS_FILE: path });
  await world.slack.as('U0ANA').say(world.slack.as('U0ANA').dm, 'sign me in, confidentially');
  await signIn(world, 'U0ANA');
  await world.slack.until(() => turnsEndedWith('answer').length === 1, { what: 'the answer' });
});
afterAll(() => world.close());

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

describe('with an SDK of OpenTelemetry in the process', () => {
  it('a turn is a span, with the service’s requests and the calls to Slack in it', () => {
    const turn = turnsEndedWith('answer')[0];
    const within = readSpans().filter(({ parentId }) => parentId === turn?.spanId);
    const names = within.map(({ name }) => name);
    expect(names).toContain('assistant create conversation');
    expect(names).toContain('assistant chat');
    expect(names.filter((name) => name.startsWith('slack chat.')).length).toBeGreaterThan(0);
  });

  it('a call that fails is marked with its code', async () => {
    world.assistant.faults.next('504-html');
    await world.slack.as('U0ANA').say(world.slack.as('U0ANA').dm, 'and this fails');
    const findFailed = () => readSpans().find(({ name, status }) => name === 'assistant chat' && status.code === 2);

    const failed = await world.slack.until(findFailed, { what: 'the failed call' });

    expect(failed.attributes['error.type']).toMatch(/^[a-z_]+$/);
  });

  // Last: it ends the app, which writes what it still has.
  it('no span has a text, a token or an id of a person', async () => {
    await app.kill('SIGTERM');

    const spans = readFileSync(path, 'utf8');

    expect(spans).not.toMatch(/confidentially|U0ANA|Ana|ana@|xoxb-|Bearer|eyJ/);
  });
});
