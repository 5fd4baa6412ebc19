import { beforeEach, describe, expect, it } from 'vitest';
import type { AskedPlace } from '../../../src/conversation/channel-settings.ts';
import type { Channels } from '../../../src/slack/channels.ts';
import { findPermalinks, readLinked } from '../../../src/slack/quotes/permalinks.ts';
import { SlackRefusedError, SlackUnavailableError } from '../../../src/slack/web/slack-errors.ts';
import { aQuestion } from '../../conversation/a-question.ts';
import { aSlack, INSTALLATION } from '../a-slack.ts';
import { only } from '../only.ts';
import { cpuOf } from '../text-out/held-thread.ts';

const TS = '1700000000.000100';

describe('links to messages', () => {
  it.each<[string, { channel: string; threadTs?: string }?]>([
    ['see https://acme.slack.com/archives/C0AB/p1700000000000100.', { channel: 'C0AB' }],
    [
      'https://acme.enterprise.slack.com/archives/G0AB/p1700000000000100?thread_ts=1600000000.000200&cid=G0AB',
      { channel: 'G0AB', threadTs: '1600000000.000200' },
    ],
    ['a label (https://acme.slack-gov.com/archives/D0AB/p1700000000000100)', { channel: 'D0AB' }],
    ['https://acme.slack.com/archives/C0AB/p1700000000000100?thread_ts=x', { channel: 'C0AB' }],
    ['https://acme.slack.com/archives/C0AB'],
    ['https://slack.com.evil.example/archives/C0AB/p1700000000000100'],
    ['http://acme.slack.com/archives/C0AB/p1700000000000100'],
  ])('are found in %j', (text, link) => {
    expect(findPermalinks(text)).toEqual(link ? [{ ts: TS, threadTs: TS, ...link }] : []);
  });

  it('are found in linear time', () => {
    for (const text of ['https://a.'.repeat(20_000), `https://${'a'.repeat(200_000)}`]) {
      expect(cpuOf(() => findPermalinks(text))).toBeLessThan(1_000);
    }
  });
});

describe('a message linked to', () => {
  let members: string[];
  /** Of channels that are too large to be read to their end. */
  let nextPage: string;
  let failure: Error | undefined;
  /** Places whose rules keep what is written there. */
  let ruled: string[];
  beforeEach(() => {
    members = ['UANA', 'UBOT'];
    nextPage = '';
    failure = undefined;
    ruled = [];
  });

  async function look(...linked: string[]) {
    const { call, methods } = aSlack((method) => {
      if (method !== 'conversations.members') return { messages: [{ ts: TS, user: 'UBEN', text: 'said' }] };
      if (failure) throw failure;
      return { members, response_metadata: { next_cursor: nextPage } };
    });
    const channels = only<Channels>({
      directMessage: async () => 'D0OWN',
      async look(_workspace: string, channel: string) {
        if (channel === 'C0SILENT') throw new SlackUnavailableError('conversations.info');
        return { isShared: false, isMember: true, isPublic: channel === 'C0PUBLIC' };
      },
    });
    const passesOn = async ({ channel, audience }: AskedPlace) => !ruled.includes(`${audience} ${channel}`);
    const links = linked.map((channel) => ({ channel, ts: TS, threadTs: TS }));
    const { threads, refused } = await readLinked(links, aQuestion(), INSTALLATION, { call, channels, passesOn });
    const texts = threads.flatMap(({ messages }) => messages.map(({ text }) => text));
    const looks = methods().filter((method) => method === 'conversations.members').length;
    return {
      texts,
      refused,
      isPrivate: threads.map((thread) => thread.isPrivate),
      looks,
      reads: methods().length - looks,
    };
  }

  it.each([
    ['C0PUBLIC', false],
    ['C0OTHER', true],
    ['C0SILENT', true],
    ['D0OWN', true],
  ])(
    'is read where both the app and the asker are, and is private unless Slack says otherwise: %s',
    async (channel, isPrivate) => {
      expect(await look(channel)).toMatchObject({ texts: ['said'], refused: [], isPrivate: [isPrivate] });
    },
  );

  it.each<[string, () => unknown, string, string?]>([
    ['the asker is not in the channel', () => (members = ['UBEN', 'UBOT']), 'asker'],
    ['the app is not in the channel', () => (members = ['UANA']), 'app'],
    ['Slack does not show us the channel', () => (failure = new SlackRefusedError('x', 'channel_not_found')), 'app'],
    ['Slack does not answer who is in the channel', () => (failure = new SlackUnavailableError('x')), 'gone'],
    ['the rules of the channel keep it', () => (ruled = ['channel C0OTHER']), 'rule'],
    ['the rules of direct messages keep it', () => (ruled = ['person D0OWN']), 'rule', 'D0OWN'],
    ['it is in a direct message of somebody else', () => undefined, 'direct', 'D0OTHER'],
  ])('is not even looked up where %s', async (_why, prepare, refusal, channel = 'C0OTHER') => {
    prepare();

    expect(await look(channel)).toMatchObject({ texts: [], refused: [refusal], reads: 0 });
  });

  it.each([
    ['UBOT', 'asker'],
    ['UANA', 'gone'],
  ])('is not read where the channel is too large to find out (only %s is found)', async (found, refusal) => {
    members = [found];
    nextPage = 'more';

    expect(await look('C0OTHER')).toMatchObject({ texts: [], refused: [refusal], reads: 0, looks: 10 });
  });

  it('is one of three at most', async () => {
    expect(await look('C1', 'C2', 'C3', 'C4')).toMatchObject({ texts: Array(3).fill('said'), refused: ['number'] });
  });
});
