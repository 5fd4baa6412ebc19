// The register of an earlier release, a file that is converted once.
import { z } from 'zod';
import { amount, block, credits, day, line, list, OWNER, onOff, percent, rules } from './document-values.ts';

const LIMIT = 'Write monthlyLimit: and a number of credits, 0 or more, without separators; or monthlyLimit: none.';
const limit = {
  monthlyLimit: z.union([amount(LIMIT), z.literal('none')], { error: LIMIT }),
  alertAt: percent('Write alertAt: and a percentage from 0 to 100, or alertAt: off.').default('off'),
  stopWhenReached: onOff('Write stopWhenReached: on, or stopWhenReached: off.').default(false),
};

/** `platform-default`: not governed. */
function ruleState(error: string) {
  const byDefault = z.literal('platform-default').transform(() => 'open' as const);
  return z.union([onOff(error), byDefault], { error });
}

const allocation = block(
  {
    allocated: credits('Write allocated: and a whole number of credits, 0 or more.').optional(),
    rules: rules(ruleState, 'on, off or platform-default').default({}),
  },
  'Write under each currency: allocated and rules.',
);
const ALLOCATIONS = 'Write under allocations a block for each currency, or allocations: none.';
const allocations = z.union([z.literal('none'), z.record(z.string(), allocation)], { error: ALLOCATIONS }).optional();

const unnamedAgents = block(limit, 'Write under unnamedAgents: monthlyLimit, alertAt and stopWhenReached.').optional();

const id = (of: string) => line(`Write the id of the ${of}, in quotes where it consists of digits.`);
const name = line('Write name: and one line of text, or leave it out.').optional();
const owners = list(line(OWNER), 'Write owners as a list, as in [ana@example.com, ben@example.com].');

const EXCEPTION = 'Write setting: with currency: or agent:, value:, reason:, approver: and expires:.';
const SETTINGS = [
  'allocated',
  'Alert',
  'TenantPool',
  'PayGo',
  'Deny',
  'monthlyLimit',
  'alertAt',
  'stopWhenReached',
] as const;
const exception = block(
  {
    setting: z.enum(SETTINGS, { error: `Write setting: and one of ${SETTINGS.join(', ')}.` }),
    currency: line(EXCEPTION).optional(),
    agent: id('agent').optional(),
    value: z.union([z.number(), z.boolean(), z.enum(['on', 'off', 'none', 'platform-default'])], {
      error: 'Write value: and what is accepted.',
    }),
    reason: line('Write reason: and why this is accepted, on one line.'),
    approver: line('Write approver: and who approved it.'),
    expires: day('Write expires: and the last day on which the exception holds, as in 2027-03-31.'),
  },
  EXCEPTION,
);

const CLASSES = 'Write classification: maker-development, funded-production or undecided.';
const environment = block(
  {
    id: id('environment'),
    name,
    classification: z.enum(['maker-development', 'funded-production', 'undecided'], { error: CLASSES }),
    owners,
    allocations,
    unnamedAgents,
    agents: list(
      block({ id: id('agent'), name, owners, ...limit }, 'Begin each agent with "- id:".'),
      'Write agents as a list.',
    ),
    exceptions: list(exception, 'Write exceptions as a list: each one starts with "- setting:".'),
  },
  'Begin each environment with "- id:".',
);

const defaults = block(
  { allocations, unnamedAgents },
  'Write under it: allocations, unnamedAgents or both.',
).optional();

export const registerSchema = block(
  {
    schema: z.literal(1, { error: 'Write schema: 1 at the top, if this is a register.' }),
    reviewedAgents: z.enum(['all', 'harness'], { error: 'Write reviewedAgents: all, or harness.' }).optional(),
    otherCurrencies: z.enum(['report', 'ignore'], { error: 'Write otherCurrencies: report, or ignore.' }).optional(),
    defaults: block(
      { 'maker-development': defaults, 'funded-production': defaults },
      'Write under defaults: maker-development or funded-production.',
    ).default({}),
    environments: z.array(environment, { error: 'Write environments as a list: each one starts with "- id:".' }),
  },
  'Write a register: schema: 1, then environments:.',
);

export type RegisterForm = z.infer<typeof registerSchema>;
export type RegisterEnvironment = RegisterForm['environments'][number];
export type RegisterException = z.infer<typeof exception>;
export type RegisterAllocation = z.infer<typeof allocation>;
export type RegisterLimit = Exclude<z.infer<typeof unnamedAgents>, undefined>;
