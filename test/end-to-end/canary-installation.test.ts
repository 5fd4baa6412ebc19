import { describe, expect, it } from 'vitest';
import { createCanaries } from './canaries.ts';
import { type LiveWorld, shareWorld, startLiveWorld } from './live-world.ts';

describe('all that a process prints while workspaces install it', () => {
  const canaries = createCanaries();
  const headings: (string | undefined)[] = [];
  let printed = '';

  shareWorld<LiveWorld>(async (world) => {
    const credentials = {
      signingSecret: canaries.make('the signing secret'),
      clientSecret: canaries.make('the client secret of Slack'),
    };
    const environment = { SLACK_BOT_TOKEN: '', SLACK_ALLOWED_TEAMS: 'T0001', LOG_LEVEL: 'trace' };
    await startLiveWorld({ slack: { isInstalled: false, retry: 'none', credentials }, environment }, world);
    canaries.add('an encryption key', world.environment.ENCRYPTION_KEYS?.slice('k1:'.length));

    world.slack.faults.next('oauth.v2.access', { kind: 'slackError', error: 'bad_client_secret' });
    await install(world, 'allow');
    world.slack.faults.next('oauth.v2.access', { kind: 'resetBeforeProcessing' });
    await install(world, 'allow');
    await install(world, 'cancel');
    await install(world, 'allow', true);
    canaries.add('the bot token', world.slack.token());
    await world.signIn('U0ANA');
    await world.askAndWait('what is new?');
    for (const { payload } of world.slack.ledger.deliveries()) canaries.addPayload(payload);
    await world.slack.uninstall();
    await world.app.kill('SIGTERM');
    // Not by lines: a chunk of output may end in the middle of one.
    printed = world.app.lines.join('');
  });

  /** `isReplayed`: its last address is opened once more. */
  async function install(world: LiveWorld, decision: 'allow' | 'cancel', isReplayed = false): Promise<void> {
    const browser = await world.installByPages({ decision });
    headings.push(browser.page.heading);
    const callback = browser.page.visited.findLast((address) => address.includes('/slack/oauth_redirect'));
    if (isReplayed && callback) {
      await browser.open(callback);
      headings.push(browser.page.heading);
    }
    canaries.addBrowser(browser);
  }

  it('tells of all that went well and wrong', () => {
    expect(headings).toEqual([
      'Slack refused the installation',
      'The assistant cannot be installed right now',
      'The installation was cancelled',
      'The assistant is installed',
      'This step is over',
    ]);
    for (const message of ['installed', 'uninstalled', 'turn done']) {
      expect(printed, message).toContain(`"msg":"${message}"`);
    }
  });

  it('has no secret of any kind', () => {
    const found = canaries.kinds().filter((kind) => canaries.findIn(printed, kind).length > 0);

    expect(found).toEqual([]);
    expect(canaries.kinds()).toEqual(expect.arrayContaining(['a state', 'a code', 'a cookie', 'the bot token']));
    expect(printed).not.toMatch(/xox[a-z]-|eyJ[\w-]{8,}\.|Bearer [^"[\\]|v1\.k1\./);
  });
});
