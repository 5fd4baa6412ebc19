import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

const END = '[End of the quotes. My question:]';

let world: LiveWorld;

const ana = () => world.slack.as('U0ANA');
const ben = () => world.slack.as('U0BEN');
const texts = () => world.assistant.ledger.chats().map(({ text }) => text);
const lastText = () => texts().at(-1) ?? '';

describe('Ask about this message', () => {
  beforeAll(async () => {
    world = await startLiveWorld();
    await world.signIn('U0ANA');
  });
  beforeEach(() => world.assistant.ledger.clear());
  afterAll(() => world.close());

  async function askAbout(message: { channel: string; ts: string }, text: string): Promise<void> {
    await ana().shortcut(message, 'ask_about');
    const isAsking = (view: View | undefined) => view?.callbackId === 'about_question';
    const view = await world.slack.until(() => (isAsking(ana().openView()) ? ana().openView() : undefined));
    expect(world.slack.render(view)).toContain('the odd number');
    await ana().submit(view, { 'Your question': text });
  }

  it('shows the question in the thread of the message, and answers there', async () => {
    const message = await ben().say(CHANNEL, 'the odd number is 7');

    await askAbout(message, 'why is it odd?');
    const [shown, answer] = await world.waitForReplies(message, 2);

    expect(shown).toContain('why is it odd?');
    expect(answer).toContain('Ana Alvarez');
    expect(lastText()).toContain('“Ben Brandt” wrote:\n> the odd number is 7\n');
    expect(lastText().endsWith(`${END}\nwhy is it odd?`)).toBe(true);
  });

  it('takes the message along in a thread that the service knows already', async () => {
    const root = await ben().say(CHANNEL, 'the odd number is 9');
    await world.ask('first?', { threadTs: root.ts });
    await world.waitForReplies(root);

    await askAbout(root, 'why?');
    await world.waitForReplies(root, 3);

    expect(lastText()).toContain('> the odd number is 9\n');
    expect(lastText()).not.toContain('first?');
  });

  it('can be asked again, and is read from the message that shows it', async () => {
    const message = await ben().say(CHANNEL, 'the odd number is 11');
    world.assistant.faults.next('504-json');
    await askAbout(message, 'is it prime?');
    await world.waitForReplies(message, 2);
    const notice = world.repliesIn(message).at(-1);
    if (!notice) throw new Error('no notice');

    await ana().click(notice, 'Ask again');
    await world.waitForReplies(message, 3);

    expect(lastText()).toContain('> the odd number is 11\n');
    expect(lastText().endsWith(`${END}\nis it prime?`)).toBe(true);
  });

  it('is answered alone, for who wants it so, under the question in the thread', async () => {
    await world.signIn('U0BEN', 'private');
    world.slack.workspace.changeUser('U0BEN', { locale: 'de-DE' });
    const message = await ana().say(CHANNEL, 'the odd number is 13');

    await ben().shortcut(message, 'ask_about');
    const isAsking = (view: View | undefined) => view?.callbackId === 'about_question';
    const view = await world.slack.until(() => (isAsking(ben().openView()) ? ben().openView() : undefined));
    expect(world.slack.render(view)).toContain('Frage zur Nachricht');
    await ben().submit(view, { 'Ihre Frage': 'warum?' });
    const [shown, stub] = await world.waitForReplies(message, 2);

    expect(shown).toContain('warum?');
    expect(stub).toContain('hat die Antwort wie gewünscht als Direktnachricht erhalten');
    expect(lastText()).toContain('„Ana Alvarez“ schrieb:\n> the odd number is 13\n');
  });

  it('is refused in a direct message where the app is not in the channel', async () => {
    const message = await ana().say('C0RANDOM', 'the odd number is elsewhere');

    await askAbout(message, 'why?');
    const told = await world.slack.until(() =>
      ana()
        .sees(ana().dm)
        .find(({ text }) => text.includes('cannot write')),
    );

    expect(world.slack.render(told)).toContain('/invite');
    expect(texts()).toEqual([]);
  });
});
