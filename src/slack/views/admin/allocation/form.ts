// The fields of the allocation form: how they are built, and how what was typed and chosen is read.
import type { InputBlock } from '@slack/types';
import type { CurrencyAllocation } from '../../../../admin-api/licensing-wire.ts';
import { RULE_LABELS } from '../../../../governance/allocation/allocation-rows.ts';
import { type FoundRule, RULE_TYPES, type RuleType, readRule } from '../../../../governance/allocation/credit-rules.ts';
import type { AllocationForm, ParsedAllocationForm } from '../../../../governance/allocation/parse-allocation.ts';
import { buildTextInput, type ViewValues } from '../../../../governance/limits/limit-form-views.ts';
import { buildPlainText } from '../../content.ts';

type Field = 'allocated' | RuleType;

/** Every field's element has this action_id: the block tells them apart. */
const VALUE = 'value';

/**
 * The block id, of the currency with this place in the list: Slack keeps what was entered into a block of the same id, and
 * one currency's credits must not stand in the form of another.
 */
function toFieldId(field: Field, place: number): string {
  return `${field}_${place}`.toLowerCase();
}

export function buildAllocationFields(currency: CurrencyAllocation | undefined, place: number): InputBlock[] {
  const { allocated } = currency ?? {};
  return [
    buildTextInput(toFieldId('allocated', place), 'Credits allocated', {
      initial: allocated === undefined ? undefined : String(allocated),
      hint: 'A whole number of prepaid credits, reserved for this environment.',
    }),
    ...RULE_TYPES.map((rule) => buildRule(rule, readRule(currency, rule), place)),
  ];
}

// Where it cannot be told what holds, nothing is chosen beforehand: an update sets all four, so the admin decides.
function buildRule(rule: RuleType, found: FoundRule, place: number): InputBlock {
  const options = {
    on: { text: buildPlainText('On'), value: 'on' },
    off: { text: buildPlainText('Off'), value: 'off' },
  };
  const isTold = found === 'on' || found === 'off';
  return {
    type: 'input',
    block_id: toFieldId(rule, place),
    label: buildPlainText(RULE_LABELS[rule]),
    hint: buildPlainText(isTold ? HINTS[rule] : `${HINTS[rule]} ${UNTOLD[found]}`),
    element: {
      type: 'radio_buttons',
      action_id: VALUE,
      options: [options.on, options.off],
      ...(isTold ? { initial_option: options[found] } : {}),
    },
  };
}

const HINTS: Record<RuleType, string> = {
  Alert: 'Tells administrators when the credits run low.',
  TenantPool: 'Beyond its own credits the environment uses those of the tenant that nobody reserved.',
  PayGo: 'Beyond the credits consumption goes on, and is billed to the subscription.',
  Deny: 'When the credits are used up, all agents of the environment stop, for everybody.',
};

const UNTOLD = {
  'platform-default': "Now it is the platform's default, which the service does not tell: a change has to say it.",
  unknown: 'The service does not tell in a readable way what holds now: a change has to say it.',
};

/** What was typed and chosen, raw: parseAllocationForm says whether it makes an allocation. */
export function readAllocationForm(values: ViewValues, place: number, currencyType: string): AllocationForm {
  const field = (name: Field) => values[toFieldId(name, place)]?.[VALUE];
  const rules = RULE_TYPES.map((rule) => {
    const chosen = field(rule)?.selected_option?.value;
    return [rule, chosen === 'on' || chosen === 'off' ? chosen : undefined];
  });
  return { currencyType, allocated: field('allocated')?.value ?? '', rules: Object.fromEntries(rules) };
}

/** For `response_action: 'errors'`: each sentence at its field. */
export function toAllocationErrors(
  errors: Extract<ParsedAllocationForm, { ok: false }>['errors'],
  place: number,
): Record<string, string> {
  return Object.fromEntries(
    (['allocated', ...RULE_TYPES] as const).flatMap((name) =>
      errors[name] === undefined ? [] : [[toFieldId(name, place), errors[name]]],
    ),
  );
}
