// What an environment is, and what is approved with that: the fields of its forms for credits, rules and limits.
import type { InputBlock } from '@slack/types';
import { RULE_TYPES, type RuleState, type RuleType } from '../allocations/allocation.ts';
import { CREDITS_SENTENCES, RULE_LABELS } from '../allocations/allocation-plan.ts';
import { parseCredits } from '../limits/limit-plan.ts';
import type { ApprovedLimit, Classification, StatedAllocation } from '../register/register.ts';
import type { ReadyRegister } from '../review/approved-state.ts';
import { CLASSIFICATIONS } from '../review/decided-views.ts';
import { classifyEnvironment } from '../review/decisions.ts';
import { describeClassification } from '../review/finding-words.ts';
import { toTypedAmount } from '../shell/amount.ts';
import {
  buildCheckbox,
  buildRadioButtons,
  buildSelect,
  buildTextInput,
  type FormValues,
  isTicked,
  readChoice,
  readText,
} from '../shell/form-fields.ts';
import { parseWholeNumber } from '../shell/whole-number.ts';
import type { Filled } from './review-action.ts';

export const USES = ['maker-development', 'funded-production'] as const satisfies Classification[];

/** `defaults`: of the register, for the use. `found`: what is set now. `stated`: what the form says. */
type CreditsSource = 'defaults' | 'found' | 'stated';

/** `unnamedAgents`: undefined leaves the limit of agents to the register's defaults. */
export type ClassifiedCredits = {
  credits:
    | { source: 'defaults' | 'found' }
    | { source: 'stated'; allocated: number; rules: Record<RuleType, RuleState> };
  unnamedAgents: ApprovedLimit | undefined;
};

type FieldsOptions = {
  /** What can be chosen, each with its words; one at least. */
  sources: { [source in CreditsSource]?: string };
  /** Chosen beforehand; undefined: the first. */
  initial?: CreditsSource | undefined;
  currency: string;
  /** To begin with. */
  stated?: StatedAllocation | undefined;
  limit?: ApprovedLimit | undefined;
};

/** The block ids. */
export const USE_FIELD = 'classification';
const FIELDS = { source: 'approved_credits', credits: 'credits', limit: 'agent_limit', stop: 'agent_stop' };

const SOURCES: readonly CreditsSource[] = ['defaults', 'found', 'stated'];

const STATES = { on: 'On', off: 'Off', 'platform-default': 'Platform default' } satisfies Record<RuleState, string>;

/** Blocks consumption beyond the credits, and draws on nothing else. */
const STRICT: Record<RuleType, RuleState> = { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: 'on' };

/** Notices begin early enough to act on them. */
const ALERT_AT = 80;

/** Nothing is preselected, because the choice decides what is approved. */
export function buildUseChoice(label = 'What is this environment?', initial?: Classification): InputBlock {
  return buildRadioButtons(USE_FIELD, label, CLASSIFICATIONS, { initial });
}

/** Undefined where nothing was chosen. */
export function readUse(values: FormValues): Classification | undefined {
  return readChoice(values, USE_FIELD, USES);
}

/** The uses for which the register's defaults say all that is approved. */
export function listComplete({ own }: Pick<ReadyRegister, 'own'>): Classification[] {
  const trial = { ...TRIAL, register: { ...own, environments: [] } };
  return USES.filter((classification) => 'record' in classifyEnvironment(TRIED, { ...trial, classification }));
}

const TRIED = { environmentId: 'trial', name: 'trial' };

const TRIAL = { id: 'trial', by: { team: '', workspace: '', user: '' }, at: 0, reason: 'trial', registerHash: '' };

/** How the register's defaults are offered; undefined where they are complete for no use. */
export function describeDefaultSource(choices: readonly Classification[]): string | undefined {
  const [only, ...others] = choices;
  if (only === undefined) return undefined;
  const words = "What the register's defaults say";
  return others.length > 0 ? words : `${words} (for ${describeClassification(only)} only)`;
}

export function buildCreditsFields({ sources, initial, currency, stated, limit }: FieldsOptions): InputBlock[] {
  const offered = sources as Record<CreditsSource, string>;
  const first = SOURCES.find((source) => source in sources);
  const known = limit?.monthlyLimit === 'none' ? undefined : limit;
  const rules = { ...STRICT, ...stated?.rules };
  return [
    buildRadioButtons(FIELDS.source, 'Which credits and rules are approved?', offered, { initial: initial ?? first }),
    buildTextInput(FIELDS.credits, `Credits (${currency.slice(0, 40)})`, {
      isOptional: true,
      hint: 'This and the four rules count only if you chose to state them here.',
      initial: stated?.allocated === undefined ? undefined : String(stated.allocated),
    }),
    ...RULE_TYPES.map((rule) => buildSelect(toRuleField(rule), RULE_LABELS[rule], STATES, { initial: rules[rule] })),
    buildTextInput(FIELDS.limit, 'Monthly limit of each agent that is not named', {
      isOptional: true,
      hint: `In credits, with a notice at ${ALERT_AT} %. Empty: what the register's defaults say for this use.`,
      initial: known && toTypedAmount(known.monthlyLimit),
    }),
    buildCheckbox(FIELDS.stop, 'At that limit', 'Stop the agent when it is reached', known?.stopWhenReached === 'on'),
  ];
}

export function readCreditsFields(values: FormValues): Filled<ClassifiedCredits> {
  const source = readChoice(values, FIELDS.source, SOURCES) ?? 'defaults';
  const limit = readLimit(values);
  const allocated =
    source === 'stated' ? parseWholeNumber(readText(values, FIELDS.credits), CREDITS_SENTENCES) : undefined;
  if (typeof allocated === 'string' || typeof limit === 'string') {
    return {
      errors: {
        ...(typeof allocated === 'string' ? { [FIELDS.credits]: allocated } : {}),
        ...(typeof limit === 'string' ? { [FIELDS.limit]: limit } : {}),
      },
    };
  }
  const unnamedAgents = limit && ({ ...limit, stopWhenReached: isTicked(values, FIELDS.stop) ? 'on' : 'off' } as const);
  if (source !== 'stated') return { answer: { credits: { source }, unnamedAgents } };
  return { answer: { credits: { source, allocated: allocated ?? 0, rules: readRules(values) }, unnamedAgents } };
}

/** As a record of the overlay states it; `found` is for the caller to fill in. */
export function toStatedAllocations(
  { credits }: Pick<ClassifiedCredits, 'credits'>,
  { currency, found }: { currency: string; found?: StatedAllocation[] | 'none' | undefined },
): StatedAllocation[] | 'none' | undefined {
  switch (credits.source) {
    case 'defaults':
      return undefined;
    case 'found':
      return found;
    case 'stated':
      return [{ currencyType: currency, allocated: credits.allocated, rules: credits.rules }];
  }
}

function readLimit(values: FormValues): { monthlyLimit: number; alertAt: number } | string | undefined {
  const typed = readText(values, FIELDS.limit);
  if (typed.trim() === '') return undefined;
  const monthlyLimit = parseCredits(typed);
  return typeof monthlyLimit === 'string' ? monthlyLimit : { monthlyLimit, alertAt: ALERT_AT };
}

function readRules(values: FormValues): Record<RuleType, RuleState> {
  const states = Object.keys(STATES) as RuleState[];
  const read = (rule: RuleType) => readChoice(values, toRuleField(rule), states) ?? STRICT[rule];
  return { Alert: read('Alert'), TenantPool: read('TenantPool'), PayGo: read('PayGo'), Deny: read('Deny') };
}

function toRuleField(rule: RuleType): string {
  return `rule_${rule}`;
}
