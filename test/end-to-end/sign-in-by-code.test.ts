import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPrompt, openBrowserOf, passSignInPages, pressSignIn } from '../sandbox/sign-in.ts';
import type { View } from '../sandbox/slack/records.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld({ environment: { SLACK_CLIENT_ID: '', SLACK_CLIENT_SECRET: '' } });
});
afterAll(() => world.close());

describe('where the app has no Slack client id', () => {
  it('the browser ends with a code, and only the code typed into Slack links the account', async () => {
    const question = await world.ask('who am I?');
    const prompt = await findPrompt(world, 'U0ANA');
    const second = await world.ask('and what is new?');
    const isNote = ({ text }: { text: string }) => text.includes('waits for your sign-in as well');
    const note = await world.slack.until(() => world.slack.as('U0ANA').sees(CHANNEL).find(isNote));
    expect(world.slack.render(note)).toMatch(/\[Sign in\] \[Enter code\]/);
    const url = await pressSignIn(world, 'U0ANA', prompt);
    const browser = await openBrowserOf(world, 'U0ANA');
    await browser.open(url);
    await passSignInPages(browser);
    const code = /\b[A-Z0-9]{4}[- ]?[A-Z0-9]{4}\b/.exec(browser.page.text)?.[0] ?? '';
    expect(world.repliesIn(question)).toEqual([]);

    const ana = world.slack.as('U0ANA');
    world.slack.faults.next('views.open', { kind: 'slackError', error: 'expired_trigger_id' });
    const refused = await ana.click(prompt, 'Enter code');
    await ana.click(prompt, 'Enter code');
    const isCode = (view: View | undefined) => view?.callbackId === 'confirm_code';
    const view = await world.slack.until(() => (isCode(ana.openView()) ? ana.openView() : undefined));
    const wrong = await ana.submit(view, { 'The code that the sign-in page shows': 'WRONGONE' });
    const right = await ana.submit(view, { 'The code that the sign-in page shows': code });
    const [answer] = await world.waitForReplies(question);

    expect(refused.ok).toBe(true);
    expect(Object.values(wrong.errors ?? {}).join()).toContain('tries left');
    expect(right.closed).toBe(true);
    expect(answer).toContain('Ana Alvarez');
    expect(await world.waitForReplies(second)).toHaveLength(1);
    expect(question.channel).toBe(CHANNEL);
  });
});
