// The form of the register's file.
import { z } from 'zod';
import { exceptionSchema } from './exception-schema.ts';
import { block, credits, id, line, list, onOff, ruleState } from './form.ts';

const ALLOCATED = 'Write allocated: and a whole number of credits, 0 or more, without separators.';
const LIMIT =
  'Write monthlyLimit: and a whole number of credits, 0 or more, without separators; or monthlyLimit: none.';
const ALERT = 'Write alertAt: and a whole percentage from 1 to 100, or alertAt: off.';
const ALLOCATIONS =
  'Write under allocations a block for each currency, such as ServiceMessages: { allocated: 0 }; or allocations: none.';

const rule = (type: string) => ruleState(`Write ${type}: on, ${type}: off or ${type}: platform-default.`).optional();
const allocation = block(
  {
    allocated: credits(ALLOCATED).optional(),
    rules: block(
      { Alert: rule('Alert'), TenantPool: rule('TenantPool'), PayGo: rule('PayGo'), Deny: rule('Deny') },
      'Write under rules what is approved for Alert, TenantPool, PayGo and Deny.',
    ).default({}),
  },
  'Write under each currency: allocated and rules.',
);
const allocations = z.union([z.literal('none'), z.record(z.string(), allocation)], { error: ALLOCATIONS });

const percent = z.int({ error: ALERT }).min(1, { error: ALERT }).max(100, { error: ALERT });
const limit = {
  monthlyLimit: z.union([credits(LIMIT), z.literal('none')], { error: LIMIT }),
  alertAt: z.union([percent, onOff(ALERT).pipe(z.literal('off', { error: ALERT }))], { error: ALERT }).optional(),
  stopWhenReached: onOff('Write stopWhenReached: on, or stopWhenReached: off.').optional(),
};
const unnamedAgents = block(limit, 'Write under unnamedAgents: monthlyLimit, alertAt and stopWhenReached.');

const name = line(
  'Write name: and one line of text, in quotes where it consists of digits; or leave it out.',
).optional();
const owners = list(
  line('Write an owner as an e-mail address, an id of the directory or a Slack user id.'),
  'Write owners as a list, as in [ana@example.com, ben@example.com].',
);
const agent = block(
  { id: id('agent'), name, owners, ...limit },
  'Write each agent as a block that starts with "- id:".',
);

const defaults = block(
  { allocations: allocations.optional(), unnamedAgents: unnamedAgents.optional() },
  'Write under it: allocations, unnamedAgents or both.',
).optional();

const environment = block(
  {
    id: id('environment'),
    name,
    classification: z.enum(['maker-development', 'funded-production'], {
      error: 'Write classification: maker-development, or classification: funded-production.',
    }),
    owners,
    allocations: allocations.optional(),
    unnamedAgents: unnamedAgents.optional(),
    agents: list(agent, 'Write agents as a list: each one starts with "- id:".'),
    exceptions: list(exceptionSchema, 'Write exceptions as a list: each one starts with "- setting:".'),
  },
  'Write each environment as a block that starts with "- id:".',
);

export const registerSchema = block(
  {
    schema: z.literal(1, { error: 'Write schema: 1 at the top: it names the form of this file.' }),
    reviewedAgents: z
      .enum(['all', 'harness'], { error: 'Write reviewedAgents: all, or reviewedAgents: harness.' })
      .default('all'),
    otherCurrencies: z
      .enum(['report', 'ignore'], { error: 'Write otherCurrencies: report, or otherCurrencies: ignore.' })
      .default('report'),
    defaults: block(
      { 'maker-development': defaults, 'funded-production': defaults, unclassified: defaults },
      'Write under defaults: maker-development, funded-production or unclassified.',
    ).default({}),
    environments: z.array(environment, { error: 'Write environments as a list: each one starts with "- id:".' }),
  },
  'Write a register: schema: 1, then environments:.',
);

export type RegisterForm = z.infer<typeof registerSchema>;
export type EnvironmentForm = z.infer<typeof environment>;
export type DefaultsForm = Exclude<z.infer<typeof defaults>, undefined>;
export type AllocationsForm = z.infer<typeof allocations>;
export type ApprovedLimitForm = z.infer<typeof unnamedAgents>;
