import { globSync, readFileSync } from 'node:fs';
import type { TemplateResult } from 'lit';
import { describe, expect, it } from 'vitest';
import type { Block, Message } from '../slack/records.ts';
import { createDrawing } from './draw-blocks.ts';
import { formatDate } from './format-date.ts';
import type { BlockContext } from './page/blocks/context.ts';
import { renderEmoji, SIGNS, toEmoji } from './page/blocks/emoji-signs.ts';
import { readEntries } from './page/blocks/entries.ts';
import { renderLink } from './page/blocks/parts.ts';
import { renderRichText } from './page/blocks/rich-text.ts';

const NAMES: Record<string, string> = { U0ANA: 'Ana Alvarez', C0GENERAL: 'general', S0OPS: 'ops' };
const context = { names: (id: string) => NAMES[id] } as unknown as BlockContext;
const HERE = { locale: 'en-US', timeZone: 'UTC' };
const drawing = createDrawing(HERE);

/** The template with its values put in; a text from outside is in double brackets, where Lit escapes it. */
function toHtml(drawn: unknown): string {
  if (Array.isArray(drawn)) return drawn.map(toHtml).join('');
  const { strings, values } = drawn as TemplateResult;
  if (strings === undefined) return drawn === '' ? '' : `⟦${String(drawn)}⟧`;
  return strings.reduce((before, text, index) => before + toHtml(values[index - 1]) + text);
}

const inside = (drawn: TemplateResult) => toHtml(drawn).replace(/^<div class="words">|<\/div>$/g, '');
const drawMrkdwn = (text: string) => {
  const [block = {}] = drawing.message({ text, blocks: [] as Block[] } as Message).blocks;
  return inside(renderRichText(block, context)).replace(/<\/?div>/g, '');
};
const link = (url: string, label: string) =>
  `<a href=⟦${url}⟧ target="_blank" rel="noopener noreferrer">⟦${label}⟧</a>`;
const mention = (words: string) => `<span class="mention">⟦${words}⟧</span>`;

describe('mrkdwn', () => {
  it.each([
    ['*bold* _thin_ ~old~', '<strong>⟦bold⟧</strong>⟦ ⟧<em>⟦thin⟧</em>⟦ ⟧<s>⟦old⟧</s>'],
    ['snake_case_name 2*3*4', '⟦snake_case_name 2*3*4⟧'],
    ['`*a* &lt;b&gt;`', '<code>⟦*a* <b>⟧</code>'],
    ['```\n*a*\n```', '<pre class="code"><code>⟦*a*⟧</code></pre>'],
    ['&gt; told\nafter', '<blockquote>⟦told⟧</blockquote>⟦after⟧'],
    ['&amp;lt;b&amp;gt; <b>', '⟦&lt;b&gt; ⟧⟦<b>⟧'],
    [
      '*b <@U0ANA> _i_*',
      `<strong>⟦b ⟧</strong><strong>${mention('@Ana Alvarez')}</strong><strong>⟦ ⟧</strong><em><strong>⟦i⟧</strong></em>`,
    ],
    ['<https://a.example/x?a=1&amp;b=2|the plan>', link('https://a.example/x?a=1&b=2', 'the plan')],
    ['see https://a.example/x_y_z.', `⟦see ⟧${link('https://a.example/x_y_z', 'https://a.example/x_y_z')}⟦.⟧`],
    ['<javascript:alert(1)|press>', '⟦press⟧⟦ (javascript:alert(1))⟧'],
    ['<@U0ANA> <#C0GENERAL|> <!here>', [mention('@Ana Alvarez'), mention('#general'), mention('@here')].join('⟦ ⟧')],
    ['<!subteam^S0OPS> <@U0GONE>', [mention('@ops'), mention('@U0GONE')].join('⟦ ⟧')],
    ['<!date^1392734382^On {date_num}|then>', '⟦On 2014-02-18⟧'],
    [':wave: :unknown:', '⟦👋⟧⟦ ⟧⟦:unknown:⟧'],
    [':+1::skin-tone-3: :flag-de:', '⟦👍🏼⟧⟦ ⟧⟦🇩🇪⟧'],
    ['at 10:30:45', '⟦at 10⟧⟦:30:⟧⟦45⟧'],
  ])('%s', (text, expected) => {
    expect(drawMrkdwn(text)).toBe(expected);
  });
});

it('mrkdwn whose marks are not closed is read in time that grows with its length', () => {
  const unclosed = `*${'<@U0ANA>'.repeat(40)} _${'<@U0ANA>'.repeat(40)} ~${'<@U0ANA>'.repeat(40)}`;

  expect(drawMrkdwn(unclosed).match(/mention/g)).toHaveLength(120);
});

describe('an emoji', () => {
  it('of every kind that the app uses is drawn, and needs no typeface', () => {
    const written = globSync('src/**/*.ts').flatMap((file) => readFileSync(file, 'utf8').match(/:[a-z_]+:/g) ?? []);
    const names = [...new Set(written.map((name) => name.slice(1, -1)))].filter(
      (name) => toEmoji(name) !== `:${name}:`,
    );

    expect(names).toContain('warning');
    expect(names.filter((name) => !(name in SIGNS))).toEqual([]);
  });

  it('that is drawn has a name for screen readers', () => {
    expect(toHtml(renderEmoji('+1'))).toContain('role="img" aria-label=⟦thumbsup⟧');
    expect(drawMrkdwn(':white_check_mark:')).toContain('aria-label=⟦white check mark⟧');
  });
});

describe('a link', () => {
  it('leads nowhere but to the web and to mail', () => {
    const urls = ['https://a.example', 'mailto:a@a.example', 'data:text/html,x', 'JavaScript:x', 'nothing'];

    expect(urls.filter((url) => toHtml(renderLink(url, url)).includes('<a '))).toEqual(urls.slice(0, 2));
  });
});

describe('rich text', () => {
  it('is drawn with its styles, and says what it does not know', () => {
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
    const bold = { type: 'text', text: '<b>', style: { bold: true } };
    const list = { type: 'rich_text_list', style: 'ordered', elements: [section(bold)] };

    const drawn = inside(renderRichText({ elements: [list, { type: 'rich_text_map' }] }, context));

    expect(drawn).toContain('<li><div><strong>⟦<b>⟧</strong></div></li>');
    expect(drawn).toContain('⟦rich_text_map⟧, which this client cannot draw.');
  });
});

describe('a date', () => {
  it('keeps a token that is not known', () => {
    expect(formatDate(0, '{date_short} {era}', HERE)).toBe('Jan 1, 1970 {era}');
  });

  it('is told from now where that is asked for', () => {
    const now = Date.now() / 1000;

    expect(formatDate(now - 86_400, '{date_pretty}, {ago}', HERE)).toBe('yesterday, 1 day ago');
  });
});

describe('entries', () => {
  const input = (id: string, type: string) => ({ type: 'input', block_id: id, element: { type, action_id: 'a' } });

  it('are read by block id and action id, in the form that the sandbox takes', () => {
    const blocks: Block[] = ['plain_text_input', 'static_select', 'checkboxes', 'external_select'].map((type) =>
      input(type, type),
    );
    const form = new FormData();
    form.set('plain_text_input/a', '');
    form.set('static_select/a', '');
    form.append('checkboxes/a', 'one');
    form.append('checkboxes/a', 'two');
    form.set('external_select/a', '{"selected_option":null}');

    expect(readEntries(blocks, form)).toEqual({
      'plain_text_input/a': '',
      'static_select/a': { selected_option: null },
      'checkboxes/a': ['one', 'two'],
      'external_select/a': { selected_option: null },
    });
  });
});
