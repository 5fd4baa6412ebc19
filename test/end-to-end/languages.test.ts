import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowserOf } from '../app/sign-in.ts';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld();

/** Ben's and Kim's Slack is German, Ana's is English. */
beforeAll(() => {
  world.slack.workspace.changeUser('U0BEN', { locale: 'de-DE' });
  world.slack.workspace.changeUser('U0KIM', { locale: 'de-DE' });
  world.assistant.access.others = 'allowed';
});

const ana = () => world.slack.as('U0ANA');
const ben = () => world.slack.as('U0BEN');

/** What Ben sees in his direct messages, unless told otherwise. */
const find = (words: string, where: { channel?: string; threadTs?: string; user?: string } = {}) =>
  world.find(words, { user: 'U0BEN', channel: ben().dm, ...where });
const findWindow = (words: string) => world.findWindow(words, 'U0BEN');
const command = (name: string, text: string) => world.command(text, { user: 'U0BEN' }, name);

describe('somebody whose Slack is German', () => {
  it('signs in in German, from the message over the window and the pages to the receipt', async () => {
    const question = await ben().say(ben().dm, 'was steht heute an?');
    const prompt = await find('[Anmelden]', { threadTs: question.ts });
    expect(prompt.text).toContain('Bitte melden Sie sich an');

    await ben().click(prompt, 'Anmelden');
    const window = await findWindow('[Anmeldeseite öffnen]');
    expect(world.slack.render(window)).toContain('Dieser Link ist nur für Sie bestimmt.');
    const { url } = await ben().clickInView(window, 'Anmeldeseite öffnen');
    await ben().closeView(window);
    const browser = await openBrowserOf(world, 'U0BEN');
    const headings = [
      (await browser.open(url ?? '')).heading,
      (await browser.submit()).heading,
      (await browser.submit(0, { decision: 'connect' })).heading,
    ];

    expect(headings).toEqual(['Konto verbinden', 'Diese beiden Konten verbinden?', 'Ihre Konten sind verbunden']);
    expect(browser.page.html).toContain('<html lang="de">');
    expect((await find('[Verbindung trennen]')).text).toContain('beim Assistenten angemeldet');
    const answer = await find('[Ohne Websuche erneut fragen]', { threadTs: question.ts });
    expect(world.slack.render(answer)).toContain('[Gute Antwort] [Schlechte Antwort]');
  });

  it('reads German in a thread in which somebody else reads English', async () => {
    const { question, text: toAna } = await world.askAndWait('what is new?');
    const { text: toBen } = await world.askAndWait('und was noch?', { user: 'U0BEN', threadTs: question.ts });

    expect(toAna).toContain('Written by AI from what Ana Alvarez has access to');
    expect(toAna).toContain('[Ask again without web]');
    expect(toBen).toMatch(/Von einer KI aus Inhalten erstellt, auf die Ben \w+ Zugriff hat/);
    expect(toBen).toContain('[Ohne Websuche erneut fragen]');
  });

  it('is answered in German where they click what is not theirs, and others in English', async () => {
    const { question, answer: toAna } = await world.askAndWait('whose is this?');
    const { answer: toBen } = await world.askAndWait('und das hier?', { user: 'U0BEN', threadTs: question.ts });

    await ben().click(toAna, 'Ask again without web');
    await ana().click(toBen, 'Ohne Websuche erneut fragen');

    const place = { channel: CHANNEL, threadTs: question.ts };
    const told = await find('Das kann nur die Person, die gefragt hat.', place);
    expect(told.ephemeralFor).toBe('U0BEN');
    expect(await find('Only the person who asked can do that.', { ...place, user: 'U0ANA' })).toBeDefined();
  });

  it('asks for help in either language, and gets it in German', async () => {
    const help = 'Ich antworte aus Inhalten, auf die *Sie* Zugriff haben';
    for (const word of ['hilfe', 'help']) {
      expect(await command('/assistant', word)).toContain(help);
      expect(await command('/assistant-web-off', word)).toContain('`/assistant-web-off Ihre Frage` stellt die Frage');
      const { ts } = await ben().say(ben().dm, word);
      await find(help, { threadTs: ts });
    }
  });

  it('is told their account in German, the date included', async () => {
    const status = await command('/assistant', 'status');

    expect(status).toMatch(/Sie sind seit dem \d+\. \p{L}+ \d{4} um \d\d:\d\d als \*Ben .*\* angemeldet\./u);
    expect(status).toContain('Europe/Berlin, aus Ihrem Slack-Profil');
  });

  it('asks without the web in German: in a window, whose question is shown, and by a word in a message', async () => {
    world.assistant.ledger.clear();
    await command('/assistant-web-off', '');
    const window = await findWindow('Ihre Frage');
    expect(world.slack.render(window)).toContain('Ohne Websuche fragen');
    await ben().submit(window, { 'Ihre Frage': 'was steht im Plan?' });

    const root = await find('hat ohne Websuche gefragt:', { channel: CHANNEL });
    const [answer] = await world.waitForReplies(root);
    await ben().say(CHANNEL, 'und jetzt? !ohne-web', { threadTs: root.ts });
    await world.waitForReplies(root, 2);

    expect(answer).toContain('Für diese Antwort war die Websuche ausgeschaltet.');
    expect(world.assistant.ledger.chats().map(({ text, isWebEnabled }) => [text, isWebEnabled])).toEqual([
      ['was steht im Plan?', false],
      ['und jetzt?', false],
    ]);
  });

  it('sees a window at once although Slack is slow to tell their language, and soon in German', async () => {
    world.slack.faults.next('users.info', { kind: 'delay', delayMs: 900 });

    await world.slack.as('U0KIM').command('/assistant-web-off', '', CHANNEL);

    await world.findWindow('Ohne Websuche fragen', 'U0KIM');
    const opened = world.slack.ledger.calls('views.open').at(-1);
    expect(JSON.stringify(opened?.arguments)).toContain('Ask without web search');
  });
});
