// Two replicas of the app on one Redis, from its installation to the death of one.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nextPrivate, readPrivate } from '../app/administer.ts';
import { awaitModal, closeModals } from '../app/open-window.ts';
import { signIn } from '../app/sign-in.ts';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({
  ...{ redis: true, signedIn: [], hasSlackbotDoor: true, slack: { isInstalled: false } },
  environment: { SLACK_BOT_TOKEN: '', SLACK_ALLOWED_TEAMS: 'T0001', ADMIN_USERS: 'T0001:U0KIM' },
});
let otherUrl: string;
let addresses: string[];

beforeAll(async () => {
  otherUrl = (await world.startOther()).url;
  addresses = [world.publicUrl, otherUrl].map((url) => `${url}/slack/events`);
});
afterEach(() => reach(0));

/** From now on Slack sends everything to this replica. */
function reach(replica: 0 | 1): void {
  world.slack.registration.eventsUrl = addresses[replica];
}

describe('two replicas', () => {
  // First: without it nothing else works.
  it('hear of an installation that the other one has made, and of its end', async () => {
    const install = async () => expect((await world.installByPages()).page.heading).toBe('The assistant is installed');
    /** What is answered to a message, as if Slack knew nothing of what was installed. */
    const deliver = async () => {
      const event = { type: 'message', channel: CHANNEL, user: 'U0ANA', text: 'to nobody', ts: '1700000000.000100' };
      const envelope = { type: 'event_callback', event_id: 'Ev0ANY', team_id: 'T0001', event };
      return (await world.slack.deliver(envelope, { retry: 'none' })).status;
    };
    // Browsers reach the first one.
    reach(1);
    // A replica that has just started may take longer than Slack waits.
    await expect.poll(deliver).toBe(403);

    await install();
    await expect.poll(deliver).toBe(200);

    await world.slack.uninstall();
    await expect.poll(deliver).toBe(403);

    await install();
    await expect.poll(deliver).toBe(200);
  });

  it('greet a newcomer once', async () => {
    const kim = world.slack.as('U0KIM');
    const opening = kim.opensMessages();
    reach(1);
    await Promise.all([opening, kim.opensMessages(), kim.opensMessages()]);
    await world.slack.until(() => kim.sees(kim.dm).length > 0);
    reach(0);
    await kim.opensMessages();
    await kim.opensHome();
    await world.slack.until(() => kim.home());

    expect(kim.sees(kim.dm)).toHaveLength(1);
  });

  it('ask to sign in once, however many threads wait for it; then all are answered', async () => {
    const ben = world.slack.as('U0BEN');
    const questions = await Promise.all(
      Array.from({ length: 20 }, (_, index) => world.ask(`thread ${index}`, { user: 'U0BEN' })),
    );
    const isPrompt = ({ text }: { text: string }) => text.includes('I keep your question');
    const notes = () => ben.sees(CHANNEL).filter(({ text }) => text.includes('waits for your sign-in as well'));
    const prompts = (place: string) => ben.sees(place).filter(isPrompt);
    await world.slack.until(() => prompts(CHANNEL).length >= 1, { what: 'a prompt in the channel' });
    await world.slack.until(() => notes().length >= questions.length - 1, { what: 'a word about each of the others' });

    expect(prompts(ben.dm)).toHaveLength(1);
    expect(prompts(CHANNEL)).toHaveLength(1);
    expect(notes()).toHaveLength(questions.length - 1);

    await signIn(world, 'U0BEN');
    for (const question of questions) expect(await world.waitForReplies(question, 1, 'U0BEN')).toHaveLength(1);

    await ben.command('/assistant', 'sign-out', CHANNEL);
    const { ts } = await world.ask('signed out, and asked at once', { user: 'U0BEN' });
    await world.slack.until(() => prompts(ben.dm).some((prompt) => prompt.ts > ts), { what: 'a prompt of its own' });
  });

  it('connect once what one of them has asked a browser to confirm', async () => {
    const question = await world.ask('who am I?', { user: 'U0KIM' });
    const browser = await world.browserOf('U0KIM');
    await browser.open(await world.signInAddress('U0KIM'));
    const { forms, heading } = await browser.submit();
    const draft = forms[0]?.fields[0]?.value ?? '';
    const cookie = browser.cookies.list(world.publicUrl).map(({ name, value }) => `${name}=${value}`);

    const connect = () =>
      fetch(`${otherUrl}/link/confirm`, {
        method: 'POST',
        body: new URLSearchParams({ draft, decision: 'connect' }),
        headers: { 'sec-fetch-site': 'same-origin', cookie: cookie.join('; ') },
      });
    const ends = [await connect(), await connect()];

    expect(heading).toBe('Connect these two accounts?');
    expect(ends.map(({ status }) => status)).toEqual([200, 410]);
    expect(await ends[0]?.text()).toContain('Your accounts are connected');
    expect((await world.waitForReplies(question, 1, 'U0KIM')).join()).toContain('Kim Kato');
  });

  it('know a pause at once that another has taken, although they have just looked', async () => {
    const pause = async (command: string, modal: string) => {
      await world.slack.as('U0KIM').command('/assistant-admin', command, CHANNEL);
      const count = readPrivate(world, 'U0KIM').length;
      await world.slack
        .as('U0KIM')
        .submit(await awaitModal(world, 'U0KIM', modal), { reason: 'Maintenance of it all' });
      await nextPrivate(world, 'U0KIM', count);
      await closeModals(world, 'U0KIM');
    };
    const readStatus = () => world.command('status', { user: 'U0BEN' });
    reach(1);
    const before = await readStatus();
    reach(0);
    await pause('pause until tomorrow', 'workspace_pause');
    reach(1);
    const paused = await readStatus();
    reach(0);
    await pause('resume', 'workspace_resume');

    expect(before).not.toContain('paused');
    expect(paused).toContain('Administrators have paused me');
    expect(paused).toContain('until tomorrow');
  });
});

describe('the home tab and the windows of two replicas', () => {
  const ana = () => world.slack.as('U0ANA');

  it('show what another has changed, and delete what another has kept', async () => {
    await ana().opensHome();
    await world.findHome('You are not signed in');
    reach(1);
    await world.signIn('U0ANA');
    const view = await world.findHome('Disconnect');
    await world.closeWindows();

    await ana().clickInView(view, 'Delete my data');
    await ana().submit(await world.slack.until(() => ana().openView()));
    await world.findWindow('Done. Deleted: one sign-in and');
    reach(0);
    await ana().opensHome();

    await world.findHome('You are not signed in');
  });

  it('say so where the store does not answer, and go on afterwards', async () => {
    const { reply } = await ana().command('/assistant', 'privacy', CHANNEL);
    if (!reply) throw new Error('no answer');
    world.redis?.signal('SIGSTOP');

    await ana().opensHome();
    const without = world.slack.render(await world.findHome('I cannot reach my own records'));
    await ana().click(reply, 'Show my data');
    await world.findWindow('I cannot reach my own records');
    world.redis?.signal('SIGCONT');

    expect(without).toContain('What I can and cannot do');
    const openAgain = async () => {
      await ana().opensHome();
      return world.slack.render(await world.findHome(''));
    };
    await expect.poll(openAgain, { interval: 500 }).toContain('Connect');
  });
});

describe('what Slackbot asks of two replicas', () => {
  beforeAll(() => world.signIn('U0ANA'));

  const ask = (question: string, replica: 0 | 1 = 0) => {
    const url = addresses[replica]?.replace(/events$/, 'mcp');
    return world.slack.as('U0ANA').askSlackbot(question, { url });
  };

  it('is asked once where Slack repeats it at another, and both calls get the answer', async () => {
    world.assistant.hold();
    const answers = Promise.all(([0, 1, 0, 1] as const).map((replica) => ask('asked of both?', replica)));
    await world.slack.until(() => world.assistant.held > 0, { what: 'the question at the service' });
    world.assistant.release();
    const texts = (await answers).map((answer) => ('text' in answer ? answer.text : answer.refusal));

    expect(world.assistant.ledger.chats()).toHaveLength(1);
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('about **asked of both**');
  });

  // Last: it ends one of them.
  it('is not asked again after one was killed: the other says that the outcome is unknown', async () => {
    world.assistant.hold();
    const lost = ask('who answers this?');
    await world.slack.until(() => world.assistant.held > 0, { what: 'the question at the service' });
    const running = world.assistant.ledger.chats().length;
    // Which of the two runs it is theirs to decide: the one that does not is asked next.
    await world.app.kill('SIGKILL');
    const again = ask('who answers this?', 1);
    world.assistant.release();
    const [first, answer] = await Promise.all([lost, again]);

    expect(running).toBe(1);
    expect(first).toMatchObject({ status: undefined });
    expect(answer).toMatchObject({ text: expect.stringContaining('I was interrupted') });
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });
});
