import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAppProcess } from '../app/app-process.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld();
  await world.signIn('U0ANA');
});
beforeEach(() => world.assistant.ledger.clear());
afterEach(() => world.assistant.faults.clear());
afterAll(() => world.close());

const LINE = 'Your question is kept, and I answer it here as soon as that is over';

/** The service refuses to be asked for a while: the next question is told to wait so long. */
const beBusy = (seconds: number, times = 1) =>
  world.assistant.faults.next('429-seconds', { retryAfterS: seconds, times });

describe('a question while the service asks to wait', () => {
  it('gets one line in its thread, and in its place the answer', async () => {
    beBusy(6);

    const question = await world.ask('what is new?');
    const [line] = await world.waitForReplies(question);
    await world.slack.until(
      () => world.repliesIn(question).some((reply) => !world.slack.render(reply).includes(LINE)),
      {
        what: 'the answer',
      },
    );
    await world.slack.until(() => world.repliesIn(question).length === 1, { what: 'the line to go' });

    expect(line).toContain('The assistant is busy and asks me to wait.');
    expect(line).toContain(LINE);
    expect(world.slack.render(world.repliesIn(question)[0] as never)).toContain('Written by AI');
    expect(world.assistant.ledger.chats().map(({ text }) => text)).toEqual(['what is new?', 'what is new?']);
  });

  it('can be cancelled by the one who asked, and by nobody else', async () => {
    beBusy(60);
    const question = await world.ask('never mind?');
    await world.waitForReplies(question);
    const [line] = world.repliesIn(question);
    if (!line) throw new Error('no line');

    await world.slack.as('U0BEN').click(line, 'Cancel the question');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const stillWaits = world.slack.render(world.repliesIn(question)[0] as never);
    await world.slack.as('U0ANA').click(line, 'Cancel the question');
    await world.slack.until(
      () =>
        world
          .repliesIn(question)
          .map((reply) => world.slack.render(reply))
          .join()
          .includes('Stopped.'),
      { what: 'the word that it is stopped' },
    );
    await world.slack.until(() => world.repliesIn(question).length === 1, { what: 'the line to go' });

    expect(stillWaits).toContain(LINE);
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });

  it('holds up those behind it in the thread, which get no line of their own', async () => {
    beBusy(6);
    const root = await world.ask('first');
    await world.waitForReplies(root);

    await world.slack.as('U0ANA').say(CHANNEL, 'second', { threadTs: root.ts });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const meanwhile = world.repliesIn(root).length;
    await world.slack.until(() => world.assistant.ledger.chats().length === 3, {
      what: 'three asks',
    });
    await world.slack.until(() => world.repliesIn(root).length === 2, { what: 'both answers' });

    expect(meanwhile).toBe(1);
    expect(world.assistant.ledger.chats().map(({ text }) => text)).toEqual(['first', 'first', 'second']);
  });

  it('is asked at its time, although the process died before', async () => {
    // Long enough for a restart, and far shorter than the app's look for lanes that nobody is at.
    beBusy(10);
    const question = await world.ask('still there?');
    await world.waitForReplies(question);

    await world.app.kill('SIGKILL');
    world.app = await startAppProcess(world.environment);

    await world.slack.until(() => world.assistant.ledger.chats().length === 2, {
      what: 'the second ask',
      timeoutMs: 40_000,
    });
  });
});
