import { describe, expect, it } from 'vitest';
import { type Page, renderPage } from '../../src/identity/pages/page.ts';
import { buildRefusalPage } from '../../src/identity/pages/refusal-pages.ts';
import { english } from '../../src/languages/english.ts';

const WITH_COMMAND = [
  'ticket_unknown',
  'step_unknown',
  'other_browser',
  'wrong_person',
  'denied',
  'slack_failed',
  'provider_failed',
] as const;

const render = (page: Page) => renderPage(page, { language: 'en', host: 'bridge.example' });

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
