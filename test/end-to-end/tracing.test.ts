import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveWorld, shareWorld, startLiveWorld } from './live-world.ts';

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
const world = shareWorld<LiveWorld>((started) => startLiveWorld({ environment }, started));

beforeAll(async () => {
  await world.signIn('U0ANA');
  await world.askAndWait('what is said confidentially?');
  await world.slack.until(() => turnsEndedWith('answer').length === 2, { what: 'the answers' });
});
afterAll(() => rmSync(dirname(path), { recursive: true }));

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
    await world.app.kill('SIGTERM');

    const spans = readFileSync(path, 'utf8');

    expect(spans).not.toMatch(/confidentially|U0ANA|Ana|ana@|xoxb-|Bearer|eyJ/);
  });
});
