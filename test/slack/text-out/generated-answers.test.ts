import { describe, expect, it } from 'vitest';
import { checkGenerated } from './check-generated.ts';
import { generateAnswer } from './generated-answer.ts';
import { findLiveInMarkdown, findLiveInMrkdwn } from './read-live.ts';

/** A sample: `npm run faults` has millions, of other seeds. */
const COUNT = 3_000;

const SEED = 20_261_122;

describe('generated answers', () => {
  it('mention nobody, and every link in them shows its host, in whole messages and in pieces', async () => {
    const { answers, texts, breaches } = await checkGenerated({ from: 0, to: COUNT }, SEED);

    expect(breaches).toEqual([]);
    expect(answers).toBe(COUNT);
    expect(texts).toBeGreaterThan(2 * COUNT);
  });

  it('are the same for the same number and seed', () => {
    expect(generateAnswer(7, 1)).toEqual(generateAnswer(7, 1));
    expect(generateAnswer(7, 1)).not.toEqual(generateAnswer(7, 2));
  });

  it('hold everything that the app has to make harmless', () => {
    const texts = Array.from({ length: 3_000 }, (_, number) => generateAnswer(number, SEED).text);

    for (const part of ['<!channel>', '](https://', '<a ', ']: ', '![', '&#', '\\', '\u202e', '```', '[^1^]', '<@U0']) {
      expect(texts.filter((text) => text.includes(part)).length).toBeGreaterThan(10);
    }
  });
});

describe('the reader of what is live', () => {
  it.each([
    ['<!channel>', 'angle bracket'],
    ['@here', 'mention of a group'],
    ['&#64;channel', 'mention of a group'],
    ['[a](https://evil.example)', 'link to evil.example as a'],
    ['[good.example](https://evil.example/a)', 'link to evil.example as good.example'],
    ['[a](javascript:x)', 'link to javascript:x'],
    ['![a](https://evil.example) (evil.example)', 'image'],
    ['[a]: https://evil.example', 'definition of a link'],
    ['slack://open', 'address of another scheme'],
    ['https://good.example@evil.example', 'disguised: https://good.example@evil.example'],
    ['https&#58;//good.example&#64;evil.example', 'disguised: https://good.example@evil.example'],
    ['www.good.example&#93;x&#64;evil.example', 'disguised: www.good.example]x@evil.example'],
    ['a\u202eb', 'direction override'],
    ['a&#x202e;b', 'encoded direction override'],
    ['&#60;!here>', 'encoded bracket'],
    ['```\na\n```\n[a](https://evil.example)', 'link to evil.example as a'],
  ])('finds %s in Markdown', (markdown, live) => {
    expect(findLiveInMarkdown(markdown)).toEqual([live]);
  });

  it.each([
    'a &lt;!channel&gt; @\u2060here [1] [a][b] ! [ ] :',
    '[a](https://x.example/) (x.example), [x.example/a](https://x.example/a)',
    'www.x.example&#x5d;(https://y.example/a&#x29;b&#x40;z.example',
    '[&nbsp;x.example](https://x.example/a) and [&NewLine;https://x.example/%7C](https://x.example/a)',
    '`[a](javascript:x)` and\n> ```\n> [b](javascript:x)\n> ```',
    'https://x.example/a@b and ana@x.example',
    '[a](https://x.example/https://good.example@evil.example/) (x.example)',
  ])('finds nothing in %s', (markdown) => {
    expect(findLiveInMarkdown(markdown)).toEqual([]);
  });

  it.each([
    ['<!here> <@U1>', ['live: <!here>', 'live: <@U1>']],
    ['<https://evil.example|good.example>', ['forged: <https://evil.example|good.example>']],
    ['<https://evil.example|a> @channel', ['mention of a group']],
    ['<javascript:x|a> <', ['live: <javascript:x|a>', 'angle bracket']],
  ])('finds in mrkdwn %s', (mrkdwn, live) => {
    expect(findLiveInMrkdwn(mrkdwn)).toEqual(live);
  });

  it('takes the mentions that we make, and what Slack does not look for', () => {
    expect(findLiveInMrkdwn('<@U1> asked', { mentions: ['<@U1>'] })).toEqual([]);
    expect(findLiveInMrkdwn('@channel', { isVerbatim: true })).toEqual([]);
  });
});
