// *Set one limit for all…* below a list of limits: the form, and what its preview says.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { buildPlainText, buildSection, toLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTION_VALUE_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { buildStopped } from '../bulk/bulk-form-views.ts';
import type { PreviewWords } from '../bulk/bulk-preview-views.ts';
import type { WantedLimit } from '../inventory/agent-limit.ts';
import { buildLimitFields } from '../limits/limit-form-views.ts';
import { describeLimit } from '../limits/limit-words.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildSelect, type FormValues } from '../shell/form-fields.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { describeFilter, HARNESS_WORDS } from './filter-words.ts';
import type { ListFilter } from './list-filter.ts';

/** `id`: also of the button, whose value is a PageTurn. */
export const LIMIT_ALL_TOPIC: ModalTopic = {
  id: 'admin_limits_set_all',
  title: 'One limit for all',
  loading: 'Looking up the agents of the list…',
};

/** callback_id of the form; its private_metadata is read by parseLimitAllState. */
export const LIMIT_ALL_FORM = 'admin_limits_set_all_form';

/** The block id. */
const CURRENCY_FIELD = 'currency';

const stateSchema = z.object({ query: z.string(), replyTo: z.string().optional() });

/** `query`: what was typed after the command. `replyTo`: see respond.ts. */
type LimitAllState = z.infer<typeof stateSchema>;

/** Undefined where it is not the private_metadata of this form. */
export function parseLimitAllState(text: string): LimitAllState | undefined {
  return parseState(stateSchema, text);
}

/** What of a list is to be set. `count`: of agents of which a limit can be set. */
export type Listed = {
  filter: ListFilter;
  environmentName: string | undefined;
  count: number;
  truncated: boolean;
};

/** `currencies`: those that there may be a limit in; the configured one first. */
export function buildLimitAllForm(listed: Listed, currencies: readonly string[], state: LimitAllState): ModalView {
  return {
    type: 'modal',
    callback_id: LIMIT_ALL_FORM,
    title: buildPlainText(LIMIT_ALL_TOPIC.title),
    submit: buildPlainText('Preview'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify(state),
    blocks: [
      buildSection(
        `One decision for ${describeListed(listed)}, on all pages of the list. Nothing is changed before you have seen the preview and confirmed it.`,
      ),
      ...(listed.truncated ? [buildNotes([TRUNCATED])] : []),
      ...(currencies.length < 2 ? [] : [buildCurrency(currencies)]),
      ...buildLimitFields(undefined),
      buildStopped(),
    ],
  };
}

function buildCurrency(currencies: readonly string[]) {
  const options = currencies.map((name) => [name, toLine(name, MAX_OPTION_TEXT_LENGTH) || '–'] as const);
  return buildSelect(CURRENCY_FIELD, 'Limit in the currency', Object.fromEntries(options), { initial: currencies[0] });
}

/** The configured one first; what Slack does not take as an option is left out. */
export function listCurrencies(configured: string, found: readonly string[]): string[] {
  const others = found.filter((name) => name.toLowerCase() !== configured.toLowerCase());
  return [configured, ...new Set(others)]
    .filter((name) => name !== '' && name.length <= MAX_OPTION_VALUE_LENGTH)
    .slice(0, MAX_OPTIONS);
}

/** Undefined where it was not asked. */
export function readCurrency(values: FormValues): string | undefined {
  return values[CURRENCY_FIELD]?.value?.selected_option?.value;
}

/** What the preview of `wanted` says. */
export function describeLimitAll(
  listed: Listed,
  { wanted, currencyType }: { wanted: WantedLimit; currencyType: string | undefined },
): PreviewWords & { nothing: string } {
  const inCurrency = currencyType === undefined ? '' : ` (${toMrkdwnName(currencyType, 40)})`;
  const limit = `${describeLimit(wanted)}${inCurrency}`;
  return {
    headline: `to one limit: ${limit}. Looked at: ${describeListed(listed)}.`,
    nothing: `Nothing would be changed: ${describeListed(listed)}, and the limit was to be ${limit}.`,
    notes: listed.truncated ? [TRUNCATED] : [],
  };
}

const TRUNCATED = ':warning: The service did not list everything: agents may be missing.';

/** 12 agents without a limit */
function describeListed({ filter, environmentName, count }: Listed): string {
  const what = `${formatCredits(count)} ${count === 1 ? 'agent' : 'agents'}${HARNESS_WORDS[filter.harness]}`;
  return `${what}${describeFilter({ filter, environmentName })}`;
}
