import { describe, expect, it } from 'vitest';
import type { AskedPlace } from '../../../src/conversation/channel-settings.ts';
import type { Question } from '../../../src/conversation/question.ts';
import type { Channels } from '../../../src/slack/channels.ts';
import { findPermalinks, readLinked } from '../../../src/slack/quotes/permalinks.ts';
import type { CallSlack } from '../../../src/slack/web/methods.ts';
import { SlackUnavailableError } from '../../../src/slack/web/slack-errors.ts';
import { aQuestion } from '../../conversation/a-question.ts';
import { INSTALLATION } from '../an-installation.ts';
import { only } from '../only.ts';
import { cpuOf } from '../text-out/held-thread.ts';

const TS = '1700000000.000100';
const LINK = { channel: 'C0OTHER', ts: TS, threadTs: TS };

describe('links to messages', () => {
  it.each([
    ['see https://acme.slack.com/archives/C0AB/p1700000000000100.', [{ channel: 'C0AB', ts: TS, threadTs: TS }]],
    [
      'https://acme.enterprise.slack.com/archives/G0AB/p1700000000000100?thread_ts=1600000000.000200&cid=G0AB',
      [{ channel: 'G0AB', ts: TS, threadTs: '1600000000.000200' }],
    ],
    [
      'a label (https://acme.slack-gov.com/archives/D0AB/p1700000000000100)',
      [{ channel: 'D0AB', ts: TS, threadTs: TS }],
    ],
    ['https://acme.slack.com/archives/C0AB/p1700000000000100?thread_ts=x', [{ channel: 'C0AB', ts: TS, threadTs: TS }]],
    ['https://acme.slack.com/archives/C0AB', []],
    ['https://slack.com.evil.example/archives/C0AB/p1700000000000100', []],
    ['http://acme.slack.com/archives/C0AB/p1700000000000100', []],
  ])('are found in %j', (text, links) => {
    expect(findPermalinks(text)).toEqual(links);
  });

  it('are found in linear time', () => {
    for (const text of ['https://a.'.repeat(20_000), `https://${'a'.repeat(200_000)}`]) {
      expect(cpuOf(() => findPermalinks(text))).toBeLessThan(1_000);
    }
  });
});

describe('a message linked to', () => {
  const read: string[] = [];
  /** Places whose rules keep what is written there. */
  const ruled = new Set<string>();
  const callWith =
    (members: () => Promise<{ members: string[]; response_metadata?: { next_cursor: string } }>): CallSlack =>
    async (method): Promise<never> => {
      if (method === 'conversations.members') return (await members()) as never;
      read.push(method);
      return { messages: [{ ts: TS, user: 'UBEN', text: 'said' }] } as never;
    };

  async function look(members: Parameters<typeof callWith>[0], change: Partial<Question> = {}, links = [LINK]) {
    read.length = 0;
    const channels = only<Channels>({
      directMessage: async () => 'D0OWN',
      async look(_workspace: string, channel: string) {
        if (channel === 'C0SILENT') throw new SlackUnavailableError('conversations.info');
        return { isShared: false, isMember: true, isPublic: channel === 'C0PUBLIC' };
      },
    });
    const passesOn = async ({ channel, audience }: AskedPlace) => !ruled.has(`${audience} ${channel}`);
    const ports = { call: callWith(members), channels, passesOn };
    const { threads, refused } = await readLinked(links, aQuestion(change), INSTALLATION, ports);
    return {
      texts: threads.flatMap(({ messages }) => messages.map(({ text }) => text)),
      refused,
      read: [...read],
      threads,
    };
  }

  it('is read where both the app and the asker are', async () => {
    const { texts, refused } = await look(async () => ({ members: ['UANA', 'UBOT'] }));

    expect([texts, refused]).toEqual([['said'], []]);
  });

  it.each([
    ['the asker is not in the channel', ['UBEN', 'UBOT'], 'asker'],
    ['the app is not in the channel', ['UANA'], 'app'],
  ])('is not even looked up where %s', async (_why, members, refusal) => {
    const looked = await look(async () => ({ members }));

    expect(looked).toEqual({ threads: [], texts: [], refused: [refusal], read: [] });
  });

  it('is not read where Slack does not say who is in the channel', async () => {
    const looked = await look(async () => {
      throw new SlackUnavailableError('conversations.members');
    });

    expect(looked).toEqual({ threads: [], texts: [], refused: ['app'], read: [] });
  });

  it('is not read where the channel is too large to find out', async () => {
    let pages = 0;
    const looked = await look(async () => ({
      members: ['UBOT', `U${++pages}`],
      response_metadata: { next_cursor: 'more' },
    }));

    expect(looked).toEqual({ threads: [], texts: [], refused: ['asker'], read: [] });
    expect(pages).toBe(10);
  });

  it.each([
    ['C0OTHER', 'channel C0OTHER'],
    ['D0OWN', 'person D0OWN'],
  ])('is not read where the rules of %s keep it', async (channel, place) => {
    ruled.add(place);
    const looked = await look(async () => ({ members: ['UANA', 'UBOT'] }), {}, [{ ...LINK, channel }]);
    ruled.clear();

    expect(looked).toEqual({ threads: [], texts: [], refused: ['rule'], read: [] });
  });

  it('in a direct message is read only if it is the asker’s own with the app', async () => {
    const members = async () => ({ members: ['UANA', 'UBOT'] });
    const own = await look(members, {}, [{ ...LINK, channel: 'D0OWN' }]);
    const other = await look(members, {}, [{ ...LINK, channel: 'D0OTHER' }]);

    expect(own.texts).toEqual(['said']);
    expect(other).toEqual({ threads: [], texts: [], refused: ['direct'], read: [] });
  });

  it.each([
    ['C0PUBLIC', false],
    ['C0OTHER', true],
    ['C0SILENT', true],
    ['D0OWN', true],
  ])('is private unless Slack says that its channel is public: %s', async (channel, isPrivate) => {
    const { threads } = await look(async () => ({ members: ['UANA', 'UBOT'] }), {}, [{ ...LINK, channel }]);

    expect(threads.map((thread) => thread.isPrivate)).toEqual([isPrivate]);
  });

  it('is one of three at most', async () => {
    const links = ['C1', 'C2', 'C3', 'C4'].map((channel) => ({ ...LINK, channel }));
    const { texts, refused } = await look(async () => ({ members: ['UANA', 'UBOT'] }), {}, links);

    expect([texts.length, refused]).toEqual([3, ['number']]);
  });
});
