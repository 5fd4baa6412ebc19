import { describe, expect, it } from 'vitest';
import {
  buildConfirmPage,
  buildLinkedPage,
  buildRefusalPage,
  type Refusal,
  type ShownPair,
} from '../../src/identity/pages/link-pages.ts';
import { type Page, renderPage } from '../../src/identity/pages/page.ts';
import { english } from '../../src/languages/english.ts';

const PAIR: ShownPair = { person: '@ana', account: 'Ana Alvarez', purpose: 'assistant' };
const NAMELESS: ShownPair = { ...PAIR, account: undefined };
const HOSTILE: ShownPair = { ...PAIR, person: '<i>ana</i>', account: `"><script>x</script>'` };
const ESCAPED = ['&lt;i&gt;ana&lt;/i&gt;', '&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;'];

const confirm = (pair: ShownPair, replaced?: { accountName: string }) =>
  buildConfirmPage({ ...pair, action: '/link/confirm', draft: 'x', replaced }, english);
const linked = (pair: ShownPair) => buildLinkedPage(pair, { action: '/link/undo', secret: 'x' }, english);

const render = (page: Page) => renderPage(page, { language: 'en', host: 'bridge.example' });

it.each<[string, Page, string[]]>([
  ['before it says that no id token told the name', confirm(NAMELESS), ['name is unknown']],
  ['before it escapes both names', confirm(HOSTILE), ESCAPED],
  ['after it escapes both names', linked(HOSTILE), ESCAPED],
  [
    'before it names the account that it would replace',
    confirm(PAIR, { accountName: 'lee@<b>' }),
    ['<strong>lee@&lt;b&gt;</strong> is connected now'],
  ],
])('a page of a sign-in %s', (_, page, words) => {
  const markup = render(page);

  for (const word of words) expect(markup).toContain(word);
  expect(markup).not.toMatch(/<script|<i>|<b>/);
});

const WITH_COMMAND: Refusal[] = [
  'ticket_unknown',
  'step_unknown',
  'other_browser',
  'wrong_person',
  'denied',
  'slack_failed',
  'provider_failed',
];

describe('a refusal page', () => {
  const commands = (...page: Parameters<typeof buildRefusalPage>) =>
    new Set(render(buildRefusalPage(...page)).match(/\/assistant(-admin)? sign-in/g));

  it.each(WITH_COMMAND)(
    'names the command of the sign-in that stopped, and both where that is unknown: %s',
    (reason) => {
      expect(commands(reason, 'admin', english)).toEqual(new Set(['/assistant-admin sign-in']));
      expect(commands(reason, 'assistant', english)).toEqual(new Set(['/assistant sign-in']));
      expect(commands(reason, undefined, english)).toEqual(new Set(['/assistant sign-in', '/assistant-admin sign-in']));
    },
  );

  it('names both commands after a failure of ours', () => {
    expect(commands('failed', undefined, english).size).toBe(2);
  });

  it.each(['ticket_unknown', 'step_unknown'] as const)('calms those who are connected already: %s', (reason) => {
    expect(render(buildRefusalPage(reason, undefined, english))).toContain(
      'If Slack says that you are signed in, all is well.',
    );
  });
});
