import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowserOf } from '../app/sign-in.ts';
import { CHANNEL, type LiveWorld, shareLiveWorld } from './live-world.ts';

let world: LiveWorld;

shareLiveWorld((started) => {
  world = started;
});

/** Ben's and Kim's Slack is German, Ana's is English. */
beforeAll(() => {
  world.slack.workspace.changeUser('U0BEN', { locale: 'de-DE' });
  world.slack.workspace.changeUser('U0KIM', { locale: 'de-DE' });
  world.assistant.access.others = 'allowed';
});

const ana = () => world.slack.as('U0ANA');
const ben = () => world.slack.as('U0BEN');

/** A message of the app that Ben sees, once it is there. */
function find(words: string, { channel = ben().dm, threadTs = '', person = ben() } = {}): Promise<Message> {
  const look = () => {
    const messages = threadTs ? person.sees(channel, threadTs) : person.sees(channel);
    return messages.findLast((message) => message.botId && world.slack.render(message).includes(words));
  };
  return world.slack.until(look, { what: `a message with “${words}”` });
}

async function command(name: string, text: string): Promise<string> {
  const { reply } = await ben().command(name, text, CHANNEL);
  return reply ? world.slack.render(reply) : '';
}

async function findWindow(words: string): Promise<View> {
  const look = () => {
    const view = ben().openView();
    return view && world.slack.render(view).includes(words) ? view : undefined;
  };
  return world.slack.until(look, { what: `a window with “${words}”` });
}

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
    const question = await world.ask('what is new?');
    const [toAna] = await world.waitForReplies(question);
    await ben().say(CHANNEL, `${world.slack.mention} und was noch?`, { threadTs: question.ts });
    const [, toBen] = await world.waitForReplies(question, 2);

    expect(toAna).toContain('Written by AI from what Ana Alvarez has access to');
    expect(toAna).toContain('[Ask again without web]');
    expect(toBen).toMatch(/Von einer KI aus Inhalten erstellt, auf die Ben \w+ Zugriff hat/);
    expect(toBen).toContain('[Ohne Websuche erneut fragen]');
  });

  it('is answered in German where they click what is not theirs, and others in English', async () => {
    const question = await world.ask('whose is this?');
    await world.waitForReplies(question);
    await ben().say(CHANNEL, `${world.slack.mention} und das hier?`, { threadTs: question.ts });
    await world.waitForReplies(question, 2);
    const [toAna, toBen] = world.repliesIn(question);
    if (!toAna || !toBen) throw new Error('no answers');

    await ben().click(toAna, 'Ask again without web');
    await ana().click(toBen, 'Ohne Websuche erneut fragen');

    const place = { channel: CHANNEL, threadTs: question.ts };
    const told = await find('Das kann nur die Person, die gefragt hat.', place);
    expect(told.ephemeralFor).toBe('U0BEN');
    expect(await find('Only the person who asked can do that.', { ...place, person: ana() })).toBeDefined();
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
    const kim = world.slack.as('U0KIM');
    const shows = (words: string) => () => {
      const view = kim.openView();
      return view !== undefined && world.slack.render(view).includes(words);
    };
    world.slack.faults.next('users.info', { kind: 'delay', delayMs: 900 });

    await kim.command('/assistant-web-off', '', CHANNEL);

    await world.slack.until(shows('Ohne Websuche fragen'), { what: 'the window in German' });
    const opened = world.slack.ledger.calls('views.open').at(-1);
    expect(JSON.stringify(opened?.arguments)).toContain('Ask without web search');
  });
});
