import { describe, expect, it } from 'vitest';
import {
  buildConfirmPage,
  buildLinkedPage,
  buildRefusalPage,
  buildUndonePage,
  type ShownPair,
} from '../../src/identity/pages/link-pages.ts';
import { type Page, renderPage } from '../../src/identity/pages/page.ts';
import { english } from '../../src/languages/english.ts';

const PAIR: ShownPair = { person: '@ana', account: 'Ana Alvarez', purpose: 'assistant' };
const HOSTILE: ShownPair = { ...PAIR, person: '<i>ana</i>', account: `"><script>x</script>'` };
const UNDO = { action: '/link/undo', secret: 'x' };
const FORM = { action: '/link/confirm', draft: 'x' };

const render = (page: Page) => renderPage(page, { language: 'en', host: 'bridge.example' });

describe('the pages with both names', () => {
  it.each([
    ['buildConfirmPage', buildConfirmPage({ ...PAIR, ...FORM, account: undefined }, english)],
    ['buildLinkedPage', buildLinkedPage({ ...PAIR, account: undefined }, UNDO, english)],
  ])("%s says that the account's name is unknown where no id token told it", (_name, page) => {
    expect(render(page)).toContain('name is unknown');
  });

  it.each([
    ['buildConfirmPage', buildConfirmPage({ ...HOSTILE, ...FORM }, english)],
    ['buildLinkedPage', buildLinkedPage(HOSTILE, UNDO, english)],
  ])('%s escapes both names', (_name, page) => {
    const markup = render(page);

    expect(markup).toContain('&lt;i&gt;ana&lt;/i&gt;');
    expect(markup).toContain('&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;');
    expect(markup).not.toMatch(/<script|<i>/);
  });
});

describe('buildConfirmPage', () => {
  it.each([
    ['assistant', 'gets answers with the access rights of this work account'],
    ['admin', 'gives admin commands with the rights of this work account'],
  ] as const)('says what connecting means: %s', (purpose, meaning) => {
    expect(render(buildConfirmPage({ ...PAIR, ...FORM, purpose }, english))).toContain(meaning);
  });

  it('names the account that it would replace', () => {
    const page = { ...PAIR, ...FORM, replaced: { accountName: 'lee@<b>' } };

    expect(render(buildConfirmPage(page, english))).toContain('<strong>lee@&lt;b&gt;</strong> is connected now');
    expect(render(buildConfirmPage({ ...PAIR, ...FORM }, english))).not.toContain('is connected now');
  });
});

describe('buildUndonePage', () => {
  it('names the command that connects again', () => {
    expect(render(buildUndonePage('admin', english))).toContain('/assistant-admin sign-in');
  });
});

const WITH_COMMAND = [
  'ticket_unknown',
  'step_unknown',
  'other_browser',
  'wrong_person',
  'denied',
  'slack_failed',
  'provider_failed',
] as const;

describe('a refusal page', () => {
  it.each(WITH_COMMAND)('names the command of the sign-in that stopped: %s', (reason) => {
    const admin = render(buildRefusalPage(reason, 'admin', english));
    const assistant = render(buildRefusalPage(reason, 'assistant', english));

    expect(admin).toContain('/assistant-admin sign-in');
    expect(admin).not.toContain('/assistant sign-in');
    expect(assistant).toContain('/assistant sign-in');
    expect(assistant).not.toContain('/assistant-admin sign-in');
  });

  it('names both commands where nobody knows which sign-in it was', () => {
    for (const reason of [...WITH_COMMAND, 'failed'] as const) {
      const page = buildRefusalPage(reason, undefined, english);
      expect(render(page)).toContain('/assistant sign-in');
      expect(render(page)).toContain('/assistant-admin sign-in');
    }
  });

  it.each(['ticket_unknown', 'step_unknown'] as const)('calms those who are connected already: %s', (reason) => {
    expect(render(buildRefusalPage(reason, undefined, english))).toContain(
      'If Slack says that you are signed in, all is well.',
    );
  });
});
