// That a question is worked on, or waits: what its thread shows.

import { describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld();

const LINE = 'Your question is kept, and I answer it here as soon as that is over';

/** The service refuses to be asked for a while: the next question is told to wait so long. */
const beBusy = (seconds: number, times = 1) =>
  world.assistant.faults.next('429-seconds', { retryAfterS: seconds, times });

describe('a question while the service asks to wait', () => {
  it('gets one line in its thread, and in its place the answer', async () => {
    beBusy(6);

    const { question, text: line } = await world.askAndWait('what is new?');
    await world.find('Written by AI', { threadTs: question.ts });
    await world.slack.until(() => world.repliesIn(question).length === 1, { what: 'the line to go' });

    expect(line).toContain('The assistant is busy and asks me to wait.');
    expect(line).toContain(LINE);
    expect(world.slack.render(world.repliesIn(question)[0] as never)).toContain('Written by AI');
    expect(world.assistant.ledger.chats().map(({ text }) => text)).toEqual(['what is new?', 'what is new?']);
  });

  it('can be cancelled by the one who asked, and by nobody else', async () => {
    beBusy(60);
    const { question, answer: line } = await world.askAndWait('never mind?');

    await world.slack.as('U0BEN').click(line, 'Cancel the question');
    await world.find('can cancel the question', { user: 'U0BEN', threadTs: question.ts });
    const stillWaits = world.slack.render(world.repliesIn(question)[0] as never);
    await world.slack.as('U0ANA').click(line, 'Cancel the question');
    await world.find('Stopped.', { threadTs: question.ts });
    await world.slack.until(() => world.repliesIn(question).length === 1, { what: 'the line to go' });

    expect(stillWaits).toContain(LINE);
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });

  it('is asked at its time, although the process died before', async () => {
    // Long enough for a restart, and far shorter than the app's look for lanes that nobody is at.
    beBusy(10);
    await world.askAndWait('still there?');

    await world.restart();

    const isAsked = () => world.assistant.ledger.chats().length === 2;
    await world.slack.until(isAsked, { what: 'the second ask', timeoutMs: 40_000 });
  });
});

const session = (threadTs: string) => world.slack.workspace.sessions.session({ channel: CHANNEL, threadTs });
const becomesIdle = (threadTs: string) =>
  world.slack.until(() => world.slack.workspace.status(CHANNEL, threadTs) === undefined, { what: 'an idle thread' });
const becomesBusy = (threadTs: string) =>
  world.slack.until(() => world.slack.workspace.status(CHANNEL, threadTs), { what: 'a busy thread' });
const statuses = (method: string, threadTs?: string) =>
  world.slack.ledger
    .calls(method)
    .map((call) => call.arguments)
    .filter((given) => threadTs === undefined || given.thread_ts === threadTs)
    .map(({ status }) => status);

describe('the session of a thread', () => {
  it('is processing, named after the question, while it is worked on, and active after the answer', async () => {
    world.assistant.hold();
    const question = await world.ask('where is the plan: May?');
    await becomesBusy(question.ts);
    const working = session(question.ts);
    world.assistant.release();
    await world.waitForReplies(question);
    await becomesIdle(question.ts);

    expect(working).toEqual({ status: 'processing', title: 'where is the plan∶ May?' });
    expect(session(question.ts)?.status).toBe('active');
    expect(statuses('agents.sessions.setStatus', question.ts)).toEqual(['processing', 'active']);
  });

  it('holds up no question where Slack does not take statuses, and is active once it does', async () => {
    const first = await world.ask('first of all?');
    await world.waitForReplies(first);
    await becomesIdle(first.ts);
    world.assistant.hold();
    const second = await world.ask('and then?', { threadTs: first.ts });
    await becomesBusy(first.ts);
    world.slack.faults.always('agents.sessions.setStatus', { kind: 'status', status: 500 });
    world.assistant.release();
    await world.waitForReplies(first, 2);
    await world.ask('and after that?', { threadTs: first.ts });
    await world.waitForReplies(first, 3);
    const stillBusy = session(first.ts)?.status;
    world.slack.faults.clear();
    await world.slack.until(() => session(first.ts)?.status === 'active', { what: 'an idle thread' });

    expect(second.threadTs).toBe(first.ts);
    expect(stillBusy).toBe('processing');
  });

  it('is active after a notice, and after a wait that is cancelled', async () => {
    world.assistant.faults.next('403-licence');
    const refused = await world.ask('may I?');
    await world.slack.until(() => statuses('agents.sessions.setStatus').length === 2, { what: 'both calls' });
    await becomesIdle(refused.ts);

    world.assistant.faults.next('429-seconds', { retryAfterS: 60 });
    const waiting = await world.ask('later?');
    const line = await world.reply(waiting);
    await becomesIdle(waiting.ts);
    await world.slack.as('U0ANA').click(line, 'Cancel the question');
    await world.find('Stopped', { threadTs: waiting.ts });

    expect(world.slack.workspace.sessions.busy()).toEqual([]);
  });

  it('is active after Stop, which Slack leaves to the app, and also where nothing runs', async () => {
    world.assistant.hold();
    const question = await world.ask('take your time');
    await becomesBusy(question.ts);

    await world.slack.as('U0ANA').stop({ channel: CHANNEL, threadTs: question.ts });
    const [reply] = await world.waitForReplies(question);
    await becomesIdle(question.ts);
    world.assistant.release();
    world.slack.workspace.sessions.set({ channel: CHANNEL, threadTs: question.ts }, 'processing');
    await world.slack.as('U0ANA').stop({ channel: CHANNEL, threadTs: question.ts });
    await becomesIdle(question.ts);

    expect(reply).toContain('Stopped.');
  });

  it('goes on where somebody else presses Stop, who is told why, in a new thread and in an old one', async () => {
    const ben = world.slack.as('U0BEN');
    const told = 'I am still working on this. Only <@U0ANA>, who asked, can stop it.';
    world.assistant.hold();
    const root = await world.ask('not yours to stop');
    await becomesBusy(root.ts);
    await ben.stop({ channel: CHANNEL, threadTs: root.ts });
    const atRoot = await world.find(told, { user: 'U0BEN' });
    const stillBusy = world.slack.workspace.status(CHANNEL, root.ts);
    world.assistant.release();
    await world.waitForReplies(root);
    world.assistant.hold();
    await world.ask('nor this', { threadTs: root.ts });
    await becomesBusy(root.ts);
    await ben.stop({ channel: CHANNEL, threadTs: root.ts });
    const inThread = await world.find(told, { user: 'U0BEN', threadTs: root.ts });
    world.assistant.release();
    await world.waitForReplies(root, 2);
    await becomesIdle(root.ts);

    for (const one of [atRoot, inThread]) expect([one.text, one.ephemeralFor]).toEqual([told, 'U0BEN']);
    expect(stillBusy).toBeDefined();
  });
});
