// The form of the register's file. Each value comes with the sentence that says what to write where it is missing or
// wrong.
import { z } from 'zod';
import { RULE_TYPES } from '../allocations/allocation.ts';
import { countEdits } from '../shell/typed-text.ts';
import { MAX_WHOLE_NUMBER } from '../shell/whole-number.ts';
import { isDay, LIMIT_SETTINGS, UNDECIDED } from './register.ts';

// An exception: which setting may stand at which value, why, by whom, until when.
const SETTING = `Write setting: and one of allocated, ${RULE_TYPES.join(', ')}; or, with agent:, one of ${LIMIT_SETTINGS.join(', ')}.`;
const EXPIRES = 'Write expires: and the last day on which the exception holds, as in 2027-03-31.';
const CREDITS = 'Write value: and the number of credits that is accepted.';
const ACCEPTED_LIMIT = 'Write value: and the monthly limit that is accepted, or value: none.';
const PERCENT = 'Write value: and the percentage that is accepted, or value: off.';

const currency = line('Write currency: and the currency that the exception is about, for example ServiceMessages.');
const agentId = id('agent');
const decision = {
  reason: line('Write reason: and why this is accepted, on one line.'),
  approver: line('Write approver: and who approved it.'),
  expires: z.string({ error: EXPIRES }).refine(isDay, { error: EXPIRES }),
};

/** What a deployment shows may be finer than what can be set, so numbers are not held to whole ones here. */
const amount = (error: string) => z.number({ error }).min(0, { error });

const allocatedException = block(
  { setting: z.literal('allocated'), currency, value: amount(CREDITS), ...decision },
  SETTING,
);
const ruleException = block(
  {
    setting: z.enum(RULE_TYPES),
    currency,
    value: ruleState('Write value: on, value: off or value: platform-default.'),
    ...decision,
  },
  SETTING,
);
const limitException = block(
  {
    setting: z.literal('monthlyLimit'),
    agent: agentId,
    value: z.union([amount(ACCEPTED_LIMIT), z.literal('none')], { error: ACCEPTED_LIMIT }),
    ...decision,
  },
  SETTING,
);
const alertException = block(
  {
    setting: z.literal('alertAt'),
    agent: agentId,
    value: z.union([amount(PERCENT), onOff(PERCENT).pipe(z.literal('off', { error: PERCENT }))], { error: PERCENT }),
    ...decision,
  },
  SETTING,
);
const stopException = block(
  {
    setting: z.literal('stopWhenReached'),
    agent: agentId,
    value: onOff('Write value: on, or value: off.'),
    ...decision,
  },
  SETTING,
);

const exceptionSchema = z.discriminatedUnion(
  'setting',
  [allocatedException, ruleException, limitException, alertException, stopException],
  { error: SETTING },
);

export type ExceptionForm = z.infer<typeof exceptionSchema>;

const ALLOCATED = 'Write allocated: and a whole number of credits, 0 or more, without separators.';
const LIMIT = 'Write monthlyLimit: and a number of credits, 0 or more, without separators; or monthlyLimit: none.';
const ALERT = 'Write alertAt: and a percentage from 0 to 100, or alertAt: off.';
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

const percent = z.number({ error: ALERT }).min(0, { error: ALERT }).max(100, { error: ALERT });
const limit = {
  monthlyLimit: z.union([amount(LIMIT), z.literal('none')], { error: LIMIT }),
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
    // Of a draft: nothing of the entry counts until somebody decides.
    classification: z.enum(['maker-development', 'funded-production', UNDECIDED], {
      error: `Write classification: maker-development, or classification: funded-production; or, while nobody has decided, classification: ${UNDECIDED}.`,
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
      { 'maker-development': defaults, 'funded-production': defaults },
      'Write under defaults: maker-development or funded-production.',
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

/** A block that takes these keys and no others; for those it does not take, the message has one line each. */
function block<Shape extends z.core.$ZodShape>(shape: Shape, error: string) {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => describeUnknownKey(key, keys)).join('\n') : error,
  });
}

function list<Item extends z.ZodType>(item: Item, error: string) {
  return z.array(item, { error }).default(() => []);
}

const MAX_TEXT_LENGTH = 500;

/** One line of text. */
function line(error: string) {
  const isLine = (value: string) => value.trim() !== '' && value.length <= MAX_TEXT_LENGTH && !/\p{Cc}/u.test(value);
  return z.string({ error }).refine(isLine, { error });
}

function id(of: string) {
  return line(`Write the id of the ${of}, in quotes where it consists of digits.`);
}

function credits(error: string) {
  return z.int({ error }).min(0, { error }).max(MAX_WHOLE_NUMBER, { error });
}

/** What YAML makes of `on` and `off` depends on its version: both readings are taken. */
function onOff(error: string) {
  return z.union([z.boolean(), z.enum(['on', 'off'])], { error }).transform(toOnOff);
}

function ruleState(error: string) {
  return z.union([z.boolean(), z.enum(['on', 'off', 'platform-default'])], { error }).transform(toOnOff);
}

function toOnOff<Word extends string>(value: boolean | Word): 'on' | 'off' | Word {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value;
}

function describeUnknownKey(key: string, keys: readonly string[]): string {
  const nearest = findNearestKey(key, keys);
  const shown = JSON.stringify(key);
  if (nearest !== undefined) return `${shown} is not a key here. Write ${nearest} instead, or remove it.`;
  return `${shown} is not a key here. Remove it, or write one of: ${keys.join(', ')}.`;
}

/** More than two typing errors make it another word. */
const MAX_DISTANCE = 2;

/** The key that somebody probably meant; undefined where none is close. */
function findNearestKey(written: string, keys: readonly string[]): string | undefined {
  const word = written.toLowerCase();
  const rated = keys.map((key) => ({ key, distance: measure(word, key.toLowerCase()) }));
  const [nearest] = rated.sort((one, other) => one.distance - other.distance);
  return nearest && nearest.distance <= MAX_DISTANCE ? nearest.key : undefined;
}

/** A part of a key, or a key with something added, counts as one typing error: `limit` for `monthlyLimit`. */
function measure(word: string, key: string): number {
  const isPart = word.length > 2 && (key.includes(word) || word.includes(key));
  return Math.min(isPart ? 1 : Number.POSITIVE_INFINITY, countEdits(word, key));
}
