import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import {
  createAnswerClicks,
  encodeClickPlace,
  parseClickPlace,
  readClickPlace,
} from '../../src/slack/answer-clicks.ts';
import { createMessenger } from '../../src/slack/messenger.ts';
import type { Content } from '../../src/slack/views/content.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../src/slack/web/slack-errors.ts';
import { budgeted, findInstallation } from './a-slack.ts';

const URL_OF_CLICK = 'https://hooks.slack.com/actions/T1/2/3';
const WHO = { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, response_url: URL_OF_CLICK };
const LIST: Content = { text: 'with a table', blocks: [] };
const PLAIN: Content = { text: 'plain', blocks: [] };

const aClick = (container: object) => ({ ...WHO, container: { type: 'message', message_ts: '2.0', ...container } });

/** Slack takes what is plain only. `limits`: how long it asks to wait, call for call. `isBudgeted`: we keep count, too. */
function aSlack({ limits = [], isBudgeted = false }: { limits?: number[]; isBudgeted?: boolean } = {}) {
  const shown: unknown[][] = [];
  const log = createLog('silent');
  const call = sinon.fake(async (method: string, _token: string, args: { text: string; channel: string }) => {
    const retryAfterMs = limits.shift();
    if (retryAfterMs !== undefined) throw new SlackRateLimitedError(method, retryAfterMs);
    if (args.text !== 'plain') throw new SlackRefusedError(method, 'invalid_blocks');
    shown.push([method, args]);
    return { ok: true };
  });
  const respond = async (url: string, message: object) => {
    shown.push([url, message]);
    return 'text' in message && message.text === 'plain';
  };
  const messenger = createMessenger({
    call: isBudgeted ? budgeted(call) : (call as never),
    channels: { directMessage: async () => 'D1' },
    findInstallation,
  });
  const clicks = createAnswerClicks({ messenger, respond, findInstallation, log });
  return { clicks, shown };
}

describe('what is said where a click was', () => {
  it('is said at the root of a channel to the clicker alone, beside the message that was clicked', async () => {
    const { clicks, shown } = aSlack();

    await clicks.say(aClick({ channel_id: 'C1' }), PLAIN);

    const message = { response_type: 'ephemeral', replace_original: false, ...PLAIN };
    expect(shown).toEqual([[URL_OF_CLICK, message]]);
  });

  it('is said plainly in the same place, where Slack does not take the newer blocks', async () => {
    const { clicks, shown } = aSlack();

    const isShown = await clicks.say(aClick({ channel_id: 'C1', thread_ts: '1.0' }), LIST, { plain: PLAIN });

    expect(isShown).toBe(true);
    expect(shown).toEqual([
      ['chat.postEphemeral', { channel: 'C1', thread_ts: '1.0', user: 'U1', text: 'plain', blocks: [] }],
    ]);
  });

  it('is said although our own budget has no room: six clicks at once in one direct message', async () => {
    const { clicks, shown } = aSlack({ isBudgeted: true });

    const said = Array.from({ length: 6 }, () => clicks.say(aClick({ channel_id: 'D1' }), PLAIN));

    expect(await Promise.all(said)).toEqual(Array(6).fill(true));
    expect(shown).toHaveLength(6);
  });

  it('is said in its place once Slack has room again, and elsewhere where that takes too long', async () => {
    const soon = aSlack({ limits: [1, 1] });
    const late = aSlack({ limits: [60_000] });
    const click = aClick({ channel_id: 'C1', thread_ts: '1.0' });

    expect(await soon.clicks.say(click, PLAIN)).toBe(true);
    expect(await late.clicks.say(click, PLAIN)).toBe(true);

    expect(soon.shown.map(([method]) => method)).toEqual(['chat.postEphemeral']);
    expect(late.shown.map(([method]) => method)).toEqual(['chat.postMessage']);
  });

  it('is false where not even a direct message arrives', async () => {
    const { clicks, shown } = aSlack();

    expect(await clicks.say(aClick({ channel_id: 'D1' }), LIST)).toBe(false);

    expect(shown).toEqual([]);
  });

  it('takes the place of a message that one person sees through its response_url, and of others by an edit', async () => {
    const { clicks, shown } = aSlack();

    await clicks.replace(aClick({ channel_id: 'C1', is_ephemeral: true }), PLAIN);
    await clicks.replace(aClick({ channel_id: 'C1' }), LIST, { plain: PLAIN });

    expect(shown).toEqual([
      [URL_OF_CLICK, { replace_original: true, ...PLAIN }],
      ['chat.update', { channel: 'C1', ts: '2.0', ...PLAIN }],
    ]);
  });
});

describe('the place of a click', () => {
  it.each([
    ['in a thread', { channel_id: 'C1', thread_ts: '1.0' }, { channel: 'C1', threadTs: '1.0' }],
    ['at the root', { channel_id: 'C1' }, { responseUrl: URL_OF_CLICK }],
    ['on the root of a thread', { channel_id: 'C1', thread_ts: '2.0' }, { responseUrl: URL_OF_CLICK }],
    ['in a direct message', { channel_id: 'D1' }, { channel: 'D1', threadTs: '2.0' }],
    ['in a thread of direct messages', { channel_id: 'D1', thread_ts: '1.0' }, { channel: 'D1', threadTs: '1.0' }],
    ['on an answer to a command there', { channel_id: 'D1', is_ephemeral: true }, { channel: 'D1' }],
  ])('%s travels through a modal and comes back', (_, container, place) => {
    const read = readClickPlace(aClick(container));

    expect(read).toEqual(place);
    expect(parseClickPlace(encodeClickPlace(read))).toEqual(place);
  });

  it('that is not known comes back as none', () => {
    expect(parseClickPlace(encodeClickPlace({}))).toEqual({});
  });
});
