// A drafted register: in order as it is, and nothing in it counts before somebody decides.
import { describe, expect, it } from 'vitest';
import { buildEmptyRegister, type DraftedEnvironment } from '../../../src/governance/register/draft-entries.ts';
import { exportRegister, findExported } from '../../../src/governance/register/export-register.ts';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import { AT, aClassification, openRegister } from './register-samples.ts';

const NONE = { environments: [], agents: [], exceptions: [] };
const EMPTY = buildEmptyRegister('2026-11-23');

function aDraft(values: Partial<DraftedEnvironment> = {}): DraftedEnvironment {
  const rules = { Alert: 'on', TenantPool: 'platform-default', PayGo: 'off', Deny: 'on' } as const;
  return {
    ...{ id: 'env-1', name: 'Contoso Production', owners: ['owner-ana'], notes: ['3 agents, 1 with a limit.'] },
    allocations: [{ currencyType: 'ServiceMessages', allocated: 25_000, rules }],
    agents: [{ id: 'bot-1', name: 'Reader', limit: { monthlyLimit: 900, alertAt: 'off', stopWhenReached: 'on' } }],
    ...values,
  };
}

const draft = (...drafts: DraftedEnvironment[]) => exportRegister(EMPTY, { ...NONE, drafts });

describe('a draft', () => {
  it('has an entry for each environment, marked for a decision, with its name as a comment', () => {
    expect(draft(aDraft())).toContain(`environments:
  # Contoso Production
  # 3 agents, 1 with a limit.
  # DECIDE: write maker-development or funded-production in the place of undecided.
  - id: env-1
    name: Contoso Production
    classification: undecided
    owners: [ owner-ana ]
    allocations: { ServiceMessages: { allocated: 25000, rules: { Alert: on, TenantPool: platform-default, PayGo: off, Deny: on } } }
    agents:
      - { id: bot-1, name: Reader, monthlyLimit: 900, alertAt: off, stopWhenReached: on }
`);
  });

  it('approves nothing until somebody decides, and then what was found', () => {
    const yaml = draft(aDraft());

    const undecided = openRegister(yaml);
    const decided = openRegister(yaml.replace(': undecided', ': funded-production'));

    expect(undecided).toMatchObject({ environments: [], undecided: ['env-1'] });
    expect(decided.undecided).toBeUndefined();
    expect(decided.environments).toMatchObject([
      {
        ...{ id: 'env-1', classification: 'funded-production', owners: ['owner-ana'] },
        allocations: [{ allocated: 25_000, rules: { TenantPool: 'platform-default' } }],
        agents: [{ id: 'bot-1', limit: { monthlyLimit: 900 } }],
      },
    ]);
  });

  it('is in order whatever the names are like, and where nothing could be read', () => {
    const names = ['# \n- id: x', '"quoted": [', '  ', 'ß'.repeat(900), '\u0000\u001b[31m', '123', 'null', undefined];
    const drafts = names.map((name, index) => {
      return aDraft({ id: `env-${index}`, name, owners: [], allocations: undefined, agents: [], notes: [name ?? '-'] });
    });

    const yaml = draft(...drafts, aDraft({ id: '4711', allocations: 'none' }));

    expect(openRegister(yaml).undecided).toEqual([...names.map((_, index) => `env-${index}`), '4711']);
  });

  it('keeps what is in the file, and adds below it', () => {
    const file = 'schema: 1\n# ours\nenvironments:\n  - { id: env-0, classification: undecided }\n';

    const yaml = exportRegister(file, { ...NONE, drafts: [aDraft()] });

    expect(yaml).toContain('# ours');
    expect(openRegister(yaml).undecided).toEqual(['env-0', 'env-1']);
  });

  it('gives way to what is decided in Slack', () => {
    const yaml = draft(aDraft(), aDraft({ id: 'env-2' }));
    const allocations = [
      {
        currencyType: 'ServiceMessages',
        allocated: 7,
        rules: { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: 'on' },
      },
    ] as const;
    const unnamedAgents = { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' } as const;
    const record = aClassification({ environmentId: 'ENV-1', allocations: [...allocations], unnamedAgents });

    const exported = exportRegister(yaml, findExported(openRegister(yaml), [record], AT));

    const register = openRegister(exported);
    expect(register.undecided).toEqual(['env-2']);
    expect(register.environments).toMatchObject([
      { id: 'ENV-1', allocations: [{ allocated: 7 }], unnamedAgents, agents: [] },
    ]);
    expect(exported).toContain('# Decided in Slack on');
  });

  it('does not hide that an environment is there twice', () => {
    const read = readRegister(draft(aDraft(), aDraft({ id: 'ENV-1' })));

    expect(read).toMatchObject({ problems: [{ sentence: expect.stringContaining('is in the register twice') }] });
  });
});
