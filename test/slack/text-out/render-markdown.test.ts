import { describe, expect, it } from 'vitest';
import { RenderTimeoutError, renderMarkdown } from '../../../src/slack/text-out/render-markdown.ts';
import { toSlackMarkdown, toSlackMarkdownAtOnce } from '../../../src/slack/text-out/slack-markdown.ts';

const LINKS = 200;

/** On a busy machine the usual limit may pass: here it is not what is looked at. */
const PATIENT = { limitMs: 60_000 };

/** An ordinary answer, only long: every kind of notation, and links in all of them. */
function aLongAnswer(length: number): string {
  const sections: string[] = [];
  const each = length / (LINKS / 5);
  for (let link = 0; link < LINKS; link += 5) {
    const address = (index: number) => `https://x.example/page-${link + index}?a=1&b=2`;
    const section = [
      `## ${link / 5 + 1}. What *changes* & what does not`,
      `The [**first** page](${address(0)}) says so [1], see also \`a[0]: b\` and [the second](${address(1)}).`,
      `- A point with a [link](${address(2)}): short\n  \`\`\`ts\n  const a: string[] = b["c"]; // [d]: e\n  \`\`\`\n- **Another** one`,
      `| Name | Page |\n|---|---|\n| a < b | [third](${address(3)}) |\n| c | _none_ |`,
      `> Quoted, with [a source](${address(4)} "Title")`,
      '```python\nx = y[1:]  # <T>\nz: dict[str, int] = {"a": [1], "b": (2)}\n```',
    ].join('\n\n');
    const prose = 'A sentence of ordinary length, as people and services write it (more or less). ';
    sections.push(`${section}\n\n${prose.repeat(Math.max(0, Math.floor((each - section.length) / prose.length)))}`);
  }
  return sections.join('\n\n');
}

describe('renderMarkdown', () => {
  it.each([
    ['text without syntax', 'R&D, a < b. '.repeat(5_000)],
    ['plain links', '[the page](https://x.example/a), and so on. '.repeat(1_000)],
    ['a short answer', '<b>bold</b> and [`a`](https://x.example)'],
    ['a long answer', aLongAnswer(20_000)],
  ])('says the same as toSlackMarkdown: %s', async (_, text) => {
    expect(await renderMarkdown(text, PATIENT)).toBe(toSlackMarkdown(text));
  });

  it.each([60_000, 150_000])('keeps the links of an ordinary answer of %i characters', async (length) => {
    const text = aLongAnswer(length);

    const rendered = await renderMarkdown(text, PATIENT);

    expect(text.length).toBeGreaterThan(length * 0.9);
    expect(toSlackMarkdownAtOnce(text)).toBeUndefined();
    expect(rendered.match(/\]\(https:\/\/x\.example\/page-\d+\?a=1&b=2\)/g)).toHaveLength(LINKS);
    expect(rendered).toContain('z: dict[str, int] = {"a": [1], "b": (2)}');
  });

  it('lets the event loop turn while it renders a long answer', async () => {
    let turns = 0;
    const turning = setInterval(() => turns++, 1);

    await renderMarkdown(aLongAnswer(60_000), PATIENT).finally(() => clearInterval(turning));

    expect(turns).toBeGreaterThan(0);
  });

  it('gives up at its limit, and renders the next text', async () => {
    await expect(renderMarkdown(aLongAnswer(60_000), { limitMs: 1 })).rejects.toThrow(RenderTimeoutError);
    await expect(renderMarkdown(aLongAnswer(60_000), { limitMs: 1 })).rejects.toMatchObject({ code: 'render_timeout' });

    expect(await renderMarkdown(aLongAnswer(5_000), PATIENT)).toContain('](https://x.example/page-1?a=1&b=2)');
  });

  it('takes what is far longer than any answer', async () => {
    const rendered = await renderMarkdown('<b> [a](javascript:x) '.repeat(50_000), PATIENT);

    expect(rendered).not.toContain('<');
  });
});
