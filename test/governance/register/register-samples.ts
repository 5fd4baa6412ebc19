// Builders with values that no test looks at; a test names the ones it does.
import type {
  AgentLimitRecord,
  ClassificationRecord,
  Decision,
  ExceptionRecord,
} from '../../../src/governance/register/overlay.ts';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import type { Register } from '../../../src/governance/register/register.ts';

export const AT = Date.parse('2026-03-04T13:05:00Z');

/** Of a text that is in order. */
export function openRegister(text: string): Register {
  const read = readRegister(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.register;
}

function aDecision(values: Partial<Decision>): Decision {
  const by = { team: 'T1', workspace: 'T1', user: 'U1' };
  return {
    schema: 1,
    id: 'decision-1',
    environmentId: 'env-1',
    reason: 'Agreed with finance',
    by,
    at: AT,
    registerHash: 'hash-1',
    ...values,
  };
}

export function aClassification(values: Partial<ClassificationRecord> = {}): ClassificationRecord {
  return {
    ...aDecision({}),
    kind: 'classification',
    name: undefined,
    classification: 'maker-development',
    owners: [],
    allocations: undefined,
    ...values,
  };
}

export function anApprovedLimit(values: Partial<AgentLimitRecord> = {}): AgentLimitRecord {
  return {
    ...aDecision({}),
    kind: 'agent_limit',
    agentResourceId: 'bot-1',
    name: undefined,
    limit: { monthlyLimit: 100, alertAt: 80, stopWhenReached: 'on' },
    ...values,
  };
}

export function anException(values: Partial<ExceptionRecord> = {}): ExceptionRecord {
  return {
    ...aDecision({}),
    kind: 'exception',
    agentResourceId: undefined,
    accepts: [{ setting: 'TenantPool', currency: 'ServiceMessages', value: 'on' }],
    expiresOn: '2026-06-30',
    ...values,
  };
}
