import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { createInventoryCache } from '../../../src/governance/inventory/inventory-cache.ts';
import { PRESS_AGAIN, sayLooked } from '../../../src/governance/lists/admin-list-listeners.ts';
import type { ListMessage } from '../../../src/governance/lists/list-message.ts';
import { startSaying } from '../../../src/governance/shell/respond.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import type { Log } from '../../../src/log.ts';
import type { Content } from '../../../src/slack/views/content.ts';

const CALLER = { team: 'T1', workspace: 'T1', user: 'U0KIM' };
const KIM = { caller: CALLER, openSession: async () => ({}) as AdminSession };
const PORTS = {
  timeZone: async () => 'UTC',
  inventories: createInventoryCache(Date.now),
};

const aContent = (text: string): Content => ({ text, blocks: [] });

describe('a list', () => {
  it('is said once, with what is plain for where Slack does not take the table', async () => {
    const message = { content: aContent('with a table'), plain: aContent('plain') };
    const say = sinon.fake.resolves(true);

    await sayLooked(async () => message, { ...KIM, say }, PORTS);

    expect(say.args).toEqual([[message.content, message.plain]]);
  });

  it('that takes long says so, and while a page is turned it says so beside the page', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const said: string[] = [];
      const sayAs = (where: string) => async (content: Content) => said.push(`${where}: ${content.text}`) > 0;
      const read = () =>
        new Promise<ListMessage>((resolve) => setTimeout(resolve, 5_000, { content: aContent('page 2') }));
      const asked = { ...KIM, say: sayAs('instead'), sayWait: sayAs('beside'), isPageTurn: true };

      const work = sayLooked(read, asked, PORTS);
      await clock.tickAsync(6_000);
      await work;

      expect(said).toEqual(['beside: Still looking that up…', 'instead: page 2']);
    } finally {
      clock.restore();
    }
  });

  it('asks whoever has to sign in before a button works to press it again', async () => {
    const said: Content[] = [];
    const say = async (content: Content) => said.push(content) > 0;
    const signedOut = () => Promise.reject(new AccountNotLinkedError('never'));
    const work: Promise<void>[] = [];
    const ports = {
      log: {} as Log,
      inBackground: (one: () => Promise<void>) => void work.push(one()),
    };

    startSaying(say, ports, signedOut, PRESS_AGAIN);
    await Promise.all(work);

    expect(JSON.stringify(said)).toContain('Afterwards, press the button again.');
  });
});
