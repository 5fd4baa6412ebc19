import { describe, expect, it } from 'vitest';
import { sayLooked } from '../../../../src/slack/listeners/admin/admin-list.ts';
import type { AdminPorts } from '../../../../src/slack/listeners/admin/admin-ports.ts';
import type { Content } from '../../../../src/slack/views/content.ts';

const CALLER = { team: 'T1', workspace: 'T1', user: 'U0KIM' };
const PORTS = { openSession: async () => ({}), timeZone: async () => 'UTC' } as unknown as AdminPorts;

const aContent = (text: string): Content => ({ text, blocks: [] });

/** What arrives, where Slack takes what `isTaken` says. */
async function sayBoth(isTaken: (content: Content) => boolean): Promise<string[]> {
  const said: string[] = [];
  const say = async (content: Content) => {
    said.push(content.text);
    return isTaken(content);
  };
  const message = { content: aContent('with a table'), plain: aContent('plain') };
  await sayLooked(async () => message, { caller: CALLER, say, isAwaited: true }, PORTS);
  return said;
}

describe('a list', () => {
  it('is said once where it arrives', async () => {
    expect(await sayBoth(() => true)).toEqual(['with a table']);
  });

  it('is said plainly where Slack does not take the table', async () => {
    expect(await sayBoth(({ text }) => text === 'plain')).toEqual(['with a table', 'plain']);
  });
});
