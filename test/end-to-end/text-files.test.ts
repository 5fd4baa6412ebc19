import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

const END = '[End of the quotes. My question:]';

let world: LiveWorld;

const ana = () => world.slack.as('U0ANA');
const lastText = () => world.assistant.ledger.chats().at(-1)?.text ?? '';

describe('a text file uploaded to Slack', () => {
  beforeAll(async () => {
    world = await startLiveWorld();
    await world.signIn('U0ANA');
  });
  beforeEach(() => world.assistant.ledger.clear());
  afterAll(() => world.close());

  const askWith = async (files: Parameters<ReturnType<typeof ana>['say']>[2]) => {
    const question = await ana().say(CHANNEL, `${world.slack.mention} what is in it?`, files);
    const [answer = ''] = await world.waitForReplies(question);
    return { text: lastText(), answer };
  };

  it.each(['notes.txt', 'notes.md', 'rows.csv', 'data.json', 'app.log'])('%s goes along as a quote', async (name) => {
    const { text, answer } = await askWith({ files: [{ name, content: 'line one\r\nline two' }] });

    expect(text).toContain(`The file “${name}” says:\n> line one\n> line two\n${END}\nwhat is in it?`);
    expect(answer).not.toContain('Not used');
  });

  it('goes along as a snippet, whatever its language, and where Slack names it only by its id', async () => {
    const { text } = await askWith({
      files: [
        { name: 'run.py', content: 'print(1)', isSnippet: true },
        { name: 'far.txt', content: 'from afar', isFromConnect: true },
      ],
    });

    expect(text).toContain('The file “run.py” says:\n> print(1)\n');
    expect(text).toContain('The file “far.txt” says:\n> from afar\n');
  });

  it.each([
    ['photo.png', Buffer.from('x'), 'uploaded to Slack'],
    ['large.txt', Buffer.alloc(200_001, 'x'), 'too large'],
    ['latin.txt', Buffer.from([0x67, 0xfc, 0x6e]), 'not plain text in UTF-8'],
  ])('%s is named with the reason instead', async (name, content, reason) => {
    const { text, answer } = await askWith({ files: [{ name, content }] });

    expect(text).toBe('what is in it?');
    expect(answer).toContain(`Not used: ${name} (${reason}`);
  });

  it('is cut where it is long, with a word about it', async () => {
    const { text, answer } = await askWith({ files: [{ name: 'long.txt', content: 'word '.repeat(10_000) }] });

    expect(text.length).toBeGreaterThan(15_000);
    expect(text.length).toBeLessThan(21_000);
    expect(answer).toContain('shortened');
  });

  it('is named where the app may not read files, and the question is answered', async () => {
    world.slack.registration.scopes.delete('files:read');
    const { text, answer } = await askWith({ files: [{ name: 'notes.txt', content: 'secret' }] });
    world.slack.registration.scopes.add('files:read');

    expect(text).toBe('what is in it?');
    expect(answer).toContain('I may not read files here');
  });

  it('is read at Slack’s own host only: nobody else gets the token', async () => {
    const url_private = 'https://evil.example/notes.txt';
    const file = { id: 'F0EVIL', name: 'notes.txt', mode: 'hosted', filetype: 'text', is_external: false, url_private };

    const { text, answer } = await askWith({ files: [file] });

    expect(text).toBe('what is in it?');
    expect(answer).toContain('I could not get it from Slack');
  });
});
