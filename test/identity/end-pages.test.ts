import { describe, expect, it } from 'vitest';
import type { AccountLink } from '../../src/identity/account-link.ts';
import { buildCodePage, buildLinkedPage } from '../../src/identity/pages/link-pages.ts';
import { renderPage } from '../../src/identity/pages/page.ts';

const LINK: AccountLink = {
  schema: 1,
  team: 'T1',
  user: 'U1',
  purpose: 'assistant',
  workspace: 'T1',
  channelAnswers: 'thread',
  sealedTokens: '',
  linkedAt: 0,
  version: 1,
};

describe('buildLinkedPage', () => {
  it("says that the account's name is unknown where no id token told it", () => {
    expect(renderPage(buildLinkedPage('@ana', LINK))).toContain('name is unknown');
  });

  it('escapes both names', () => {
    const markup = renderPage(buildLinkedPage('<i>ana</i>', { ...LINK, accountName: `"><script>x</script>'` }));

    expect(markup).toContain('&lt;i&gt;ana&lt;/i&gt;');
    expect(markup).toContain('&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;');
    expect(markup).not.toMatch(/<script|<i>/);
  });
});

describe('buildCodePage', () => {
  it('names the person whose code it is, escaped', () => {
    expect(renderPage(buildCodePage('<i>ana</i>', 'ABCD-2345'))).toContain('as &lt;i&gt;ana&lt;/i&gt;.');
  });
});
