import { beforeAll, expect, it } from 'vitest';
import { shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ redis: true, hasSlackbotDoor: true });
let addresses: string[];

beforeAll(async () => {
  const { url } = await world.startOther();
  addresses = [world.publicUrl, url].map((one) => `${one}/slack/mcp`);
});

const ask = (question: string, url = addresses[0] ?? '') => world.slack.as('U0ANA').askSlackbot(question, { url });

it('what Slack repeats at another replica is asked once, and both calls get the answer', async () => {
  world.assistant.hold();
  const answers = Promise.all([0, 1, 0, 1].map((one) => ask('asked of both?', addresses[one])));
  await world.slack.until(() => world.assistant.held > 0, { what: 'the question at the service' });
  world.assistant.release();
  const texts = (await answers).map((answer) => ('text' in answer ? answer.text : answer.refusal));

  expect(world.assistant.ledger.chats()).toHaveLength(1);
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain('about **asked of both**');
});

it('after a replica was killed while it asked, the other says that the outcome is unknown, and does not ask again', async () => {
  world.assistant.hold();
  const lost = ask('who answers this?');
  await world.slack.until(() => world.assistant.held > 0, { what: 'the question at the service' });
  const running = world.assistant.ledger.chats().length;
  // Which of the two runs it is theirs to decide: the one that does not is asked next.
  await world.app.kill('SIGKILL');
  const again = ask('who answers this?', addresses[1]);
  world.assistant.release();
  const [first, answer] = await Promise.all([lost, again]);

  expect(running).toBe(1);
  expect(first).toMatchObject({ status: undefined });
  expect(answer).toMatchObject({ text: expect.stringContaining('I was interrupted') });
  expect(world.assistant.ledger.chats()).toHaveLength(1);
});
