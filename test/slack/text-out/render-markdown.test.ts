import { describe, expect, it } from 'vitest';
import { RenderTimeoutError } from '../../../src/slack/text-out/markdown-tree.ts';
import { LONGEST_AT_ONCE, renderMarkdown, toSlackMarkdown } from '../../../src/slack/text-out/render-markdown.ts';
import { ENDLESS } from './render-whole.ts';

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
      `${link === 0 ? '| Name | Page |\n|---|---|\n| a < b | c |\n\n' : ''}_None_ but the [third](${address(3)})`,
      `> Quoted, with [a source](${address(4)} "Title")`,
      '```python\nx = y[1:]  # <T>\nz: dict[str, int] = {"a": [1], "b": (2)}\n```',
    ].join('\n\n');
    const prose = 'A sentence of ordinary length, as people and services write it (more or less). ';
    sections.push(`${section}\n\n${prose.repeat(Math.max(0, Math.floor((each - section.length) / prose.length)))}`);
  }
  return sections.join('\n\n');
}

const render = async (text: string, options = PATIENT) =>
  (await renderMarkdown(text, ENDLESS, options))?.map((part) => part.text).join('\n\n') ?? '';

describe('renderMarkdown', () => {
  it.each([5_000, 30_000])('says the same as toSlackMarkdown of %i characters', async (length) => {
    const text = aLongAnswer(length);

    expect(await renderMarkdown(text, ENDLESS, PATIENT)).toEqual(toSlackMarkdown(text, ENDLESS));
  });

  it.each([60_000, 150_000])('keeps the links of an ordinary answer of %i characters', async (length) => {
    const text = aLongAnswer(length);

    const rendered = await render(text);

    expect(text.length).toBeGreaterThan(LONGEST_AT_ONCE);
    expect(rendered.match(/\]\(https:\/\/x\.example\/page-\d+\?a=1&b=2\)/g)).toHaveLength(LINKS);
    expect(rendered).toContain('z: dict[str, int] = {"a": [1], "b": (2)}');
  });

  it('lets the event loop turn while it renders a long answer', async () => {
    let turns = 0;
    const turning = setInterval(() => turns++, 1);

    await render(aLongAnswer(60_000)).finally(() => clearInterval(turning));

    expect(turns).toBeGreaterThan(0);
  });

  it('gives up at its limit, and renders the next text', async () => {
    const text = aLongAnswer(2_000_000);

    await expect(render(text, { limitMs: 1 })).rejects.toThrow(RenderTimeoutError);
    await expect(render(text, { limitMs: 1 })).rejects.toMatchObject({ code: 'render_timeout' });

    expect(await render(aLongAnswer(30_000))).toContain('](https://x.example/page-1?a=1&b=2)');
  });

  it.each([
    ['images', '!['.repeat(5_000)],
    ['images, and long', '!['.repeat(50_000)],
    ['quotes in quotes', '> '.repeat(500)],
    ['lists in lists', '- '.repeat(500)],
  ])('refuses what would take long or lose text: %s', async (_, text) => {
    await expect(render(`${text}a`)).rejects.toMatchObject({ code: 'render_timeout' });
  });

  it('takes what is far longer than any answer', async () => {
    const rendered = await render('<b> [a](javascript:x) '.repeat(15_000));

    expect(rendered).not.toContain('<');
    expect(rendered.match(/a/g)).toHaveLength(15_000);
  });
});
