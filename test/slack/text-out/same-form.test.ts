import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../../../scripts/bench/answers.ts';
import { MESSAGE_BUDGET } from '../../../src/slack/text-out/message-budget.ts';
import { toSlackMarkdown } from '../../../src/slack/text-out/render-markdown.ts';
import { formedMarkdown } from './formed-markdown.ts';
import { readSent, readWritten } from './read-form.ts';
import { renderWhole } from './render-whole.ts';

/** Sections of our own documentation: real Markdown, with lists in lists, tables, code and links. */
const SECTIONS = globSync('{*.md,docs/*.md,test/sandbox/**/*.md}')
  .flatMap((file) => readFileSync(file, 'utf8').split(/\n(?=#)/))
  .filter((section) => !section.includes('<!--') && section.length < MESSAGE_BUDGET.characters / 2);

describe('what is sent, read by another parser', () => {
  it('has the form of what was written: headings, lists, quotes, code, tables, emphasis and links', () => {
    fc.assert(
      fc.property(formedMarkdown(), (markdown) => {
        expect(readSent(renderWhole(markdown)), markdown).toEqual(readWritten(markdown));
      }),
      { numRuns: 200 },
    );
  });

  it('has the form of every section of our documentation', () => {
    expect(SECTIONS.length).toBeGreaterThan(50);
    for (const section of SECTIONS) expect(readSent(renderWhole(section))).toEqual(readWritten(section));
  });

  it('has the form of ordinary answers', () => {
    for (const number of [0, 1, 2, 3]) {
      const { text } = answerTo(number);
      const parts = toSlackMarkdown(text, MESSAGE_BUDGET) ?? [];

      expect(parts).toHaveLength(1);
      expect(readSent(...parts.map((part) => part.text))).toEqual(readWritten(text));
    }
  });
});
