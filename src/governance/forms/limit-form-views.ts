// The window of a limit, and its fields, for one agent or for many.
import type { Button, KnownBlock } from '@slack/types';
import type { Limit } from '../../policy/values.ts';
import { buildSection, fitBlocks, toMrkdwnName } from '../../slack/views/content.ts';
import { buildCheckboxes, buildChoice, buildLineField, type Fields } from '../../slack/views/fields.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { isTypedNone, parseLimit, parseLimitCredits } from '../operations/limit.ts';
import { type Filled, type FormWindow, toFieldErrors } from '../run/kept-form.ts';
import { buildActions, buildLines } from '../shell/blocks.ts';
import { toTypedAmount } from '../shell/numbers.ts';
import { buildCurrencyMenu, toSuffix } from './currency-views.ts';
import { type AgentLook, asksForStop, describeAgentNow, readKnownLimit } from './now-words.ts';
import { buildFormButton, encodeAgent } from './target-buttons.ts';

/** The names of the fields. `suffix`: see toSuffix. */
const toNames = (suffix: string) => ({
  ...{ credits: `limit${suffix}`, noticeAt: `notice_at${suffix}`, stopAtLimit: `stop_at_limit${suffix}` },
});

/** Percent. */
const DEFAULT_NOTICE = 80;

/** `present`: the initial values. `typed`: an amount to show instead of the present one. `suffix`: see toSuffix. */
export function buildLimitFields(
  present: Limit | undefined,
  { typed, suffix = '' }: { typed?: string | undefined; suffix?: string } = {},
) {
  const { credits, noticeAt, stopAtLimit } = toInitial(present);
  const names = toNames(suffix);
  const notice = { name: names.noticeAt, label: 'Notice at (percent of the limit)', isOptional: true };
  // A required checkbox would have to be ticked.
  const stop = { name: names.stopAtLimit, label: 'When the limit is reached', isOptional: true };
  return [
    buildLineField({ name: names.credits, label: 'Credits a month', hint: OF_CREDITS }, { initial: typed ?? credits }),
    buildLineField({ ...notice, hint: 'Administrators get a notice then. Empty: none.' }, { initial: noticeAt }),
    buildCheckboxes(stop, [['yes', 'Stop at the limit']], stopAtLimit ? 1 : 0),
  ];
}

const OF_CREDITS = 'For example 1000 or 82.5, or none. For this agent alone; it does not cap its environment.';

export function readLimitFields(fields: Fields, suffix = ''): Filled<Limit> {
  const names = toNames(suffix);
  const parsed = parseLimit({
    credits: fields.text(names.credits),
    noticeAt: fields.text(names.noticeAt),
    stopAtLimit: fields.ticked(names.stopAtLimit).length > 0,
  });
  return parsed.errors ? { errors: toFieldErrors(parsed.errors, names) } : { filled: parsed.limit };
}

function toInitial(present: Limit | undefined) {
  if (present === undefined || present === 'none') {
    return { credits: undefined, noticeAt: String(DEFAULT_NOTICE), stopAtLimit: false };
  }
  const { credits, noticeAt, stopAtLimit } = present;
  return {
    credits: toTypedAmount(credits),
    noticeAt: noticeAt === 'off' ? undefined : toTypedAmount(noticeAt),
    stopAtLimit,
  };
}

export const LIMIT_TOPIC: ModalTopic = {
  id: 'form_limit',
  title: 'Monthly limit',
  loading:
    'Looking up the agent and its limit…\nIf it has to stop at once, close this and give the command `/assistant-admin stop` with its name.',
};

/** The action of the currency menu. Its value is the currency. */
export const LIMIT_CURRENCY_ACTION = 'form_limit_currency';

/** The block id. */
export const STOP_QUESTION_FIELD = 'is_stopped';

export type LimitFormOptions = {
  timeZone: string;
  defaultCurrency: string;
  /** The currencies to choose from, the default one first. */
  currencies: readonly string[];
  /** The amount that was given with the command, perhaps not a number. */
  typed: string | undefined;
};

export function buildLimitForm(look: AgentLook, options: LimitFormOptions): FormWindow {
  const { currency } = look;
  const { typed, currencies, defaultCurrency } = options;
  const fields = buildLimitFields(readKnownLimit(look), { typed, suffix: toSuffix(currency, defaultCurrency) });
  return {
    submit: 'Set limit',
    blocks: [
      ...fitBlocks(buildNow(look, options)),
      ...buildCurrencyMenu(LIMIT_CURRENCY_ACTION, currencies, currency),
      ...fields,
      ...(asksForStop(look) ? [buildStopQuestion()] : []),
    ],
  };
}

function buildNow(look: AgentLook, { timeZone, defaultCurrency, typed }: LimitFormOptions): KnownBlock[] {
  const isNumber = typed === undefined || isTypedNone(typed) || typeof parseLimitCredits(typed) === 'number';
  return [
    ...buildLines(describeAgentNow(look, { timeZone, defaultCurrency })),
    ...(isNumber ? [] : [buildSection(describeNotNumber(typed))]),
    ...buildActions([buildStopButton(look)]),
  ];
}

function describeNotNumber(typed: string): string {
  const sentence = parseLimitCredits(typed);
  return `:warning: “${toMrkdwnName(typed, 60)}” is not a number of credits, for example 5000 or 5,000. ${sentence}`;
}

function buildStopButton({ agent, shown }: AgentLook): Button | undefined {
  const isStopped = typeof shown !== 'string' && shown.stopped;
  const value = encodeAgent(agent);
  return isStopped ? buildFormButton('run', 'Run again…', value) : buildFormButton('stop', 'Stop now…', value);
}

/** Nothing is preselected, so that nobody stops an agent, or lets it run, by overlooking this. */
function buildStopQuestion() {
  const hint = 'The service does not show it. You are asked once: the answer becomes part of the policy.';
  return buildChoice('radio_buttons', { name: STOP_QUESTION_FIELD, label: 'Is it stopped now?', hint }, [
    ['stopped', 'Stopped, and stays so'],
    ['runs', 'It runs'],
  ]);
}

/** Undefined: nothing was chosen. */
export function readStopAnswer(fields: Fields): 'stopped' | 'runs' | undefined {
  return fields.chosenOf(STOP_QUESTION_FIELD, ['stopped', 'runs']);
}
