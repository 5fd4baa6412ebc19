import { describe, expect, it } from 'vitest';
import { buildAdminHome } from '../../../src/governance/commands/admin-home-views.ts';
import { parseAdminRules } from '../../../src/governance/shell/admin-rules.ts';
import type { ClaimStore } from '../../../src/identity/account-link.ts';

/** No review was held, and none is scheduled. */
const SCHEDULED = {
  once: { peek: async () => undefined } as unknown as ClaimStore,
  ...{ schedule: undefined, channelTimeZone: 'UTC', now: () => 0 },
};

async function commandsOf(user: string, hasInterface = true): Promise<string[]> {
  const services = {
    ...{ rules: parseAdminRules('U0KIM').rules, auditors: parseAdminRules('U0ANA').rules, hasInterface },
    lookups: { groupMembers: async () => [], isWorkspaceAdmin: async () => false },
  };
  const blocks = await buildAdminHome({ team: 'T1', workspace: 'T1', user }, services, SCHEDULED);
  return blocks.flatMap((block) =>
    block.type === 'actions' && 'elements' in block
      ? block.elements.map((one) => String((one as { value?: string }).value))
      : [],
  );
}

describe('the home tab', () => {
  it('has for administrators what they look at, and what is about this app', async () => {
    expect(await commandsOf('U0KIM')).toEqual([
      ...['review', 'agents', 'environments', 'policy', 'log'],
      ...['rules', 'pause', 'insights', 'doctor'],
    ]);
    expect(await commandsOf('U0KIM', false)).toEqual(['log', 'rules', 'pause', 'insights', 'doctor']);
  });

  it('has for auditors what they may read, and nothing for anybody else', async () => {
    expect(await commandsOf('U0ANA')).toEqual(['review', 'agents', 'environments', 'policy', 'log']);
    expect(await commandsOf('U0BEN')).toEqual([]);
  });
});
