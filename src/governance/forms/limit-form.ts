// The window of a limit, its fields for one agent or for many, and the edits of the policy that follow from it.
import type { Button, KnownBlock } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { setEdit } from '../../policy/edit.ts';
import { toAgentTarget } from '../../policy/target.ts';
import type { Limit } from '../../policy/values.ts';
import { fitBlocks } from '../../slack/views/content.ts';
import { buildCheckboxes, buildChoice, buildLineField, type Fields } from '../../slack/views/fields.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { isTypedNone, parseLimit, parseLimitCredits } from '../operations/limit.ts';
import { isSameThreshold, toLimitWay } from '../plan/compare.ts';
import type { SeenAgent, ThresholdState } from '../plan/seen.ts';
import { type Filled, type FormWindow, opensForm, showForm, toFieldErrors } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import { buildActions, buildLines } from '../shell/blocks.ts';
import type { Opened } from '../shell/modal.ts';
import { toTypedAmount } from '../shell/numbers.ts';
import {
  type AgentLook,
  asksForStop,
  buildCurrencyMenu,
  describeAgentNow,
  listCurrencies,
  lookAtAgent,
  readKnownLimit,
  SOON_MS,
  soon,
  toSuffix,
  warnNotNumber,
} from './now-words.ts';
import { toKeptForm } from './policy-form.ts';
import { buildFormButton, encodeAgent, FORM_ACTIONS, type PickedAgent, parseAgent } from './target-buttons.ts';

export const LIMIT_TOPIC: ModalTopic = {
  id: 'form_limit',
  title: 'Monthly limit',
  loading:
    'Looking up the agent and its limit…\nIf it has to stop at once, close this and give the command `/assistant-admin stop` with its name.',
};

/** The action of the currency menu. Its value is the currency. */
const LIMIT_CURRENCY_ACTION = 'form_limit_currency';

/** The block id. */
const STOP_QUESTION_FIELD = 'is_stopped';

/** What the window was made from. `before`: what the service showed. */
type LimitState = {
  agent: SeenAgent;
  currency: string;
  before: ThresholdState | 'unknown';
  asksForStop: boolean;
};

/** `answer`: whether the agent is stopped, if that was asked. */
type FilledLimit = { limit: Limit; answer: 'stopped' | 'runs' | undefined };

export const LIMIT_FORM = toKeptForm<LimitState, FilledLimit>({
  callbackId: 'form_limit_set',
  topic: LIMIT_TOPIC,
  working: 'Setting the limit…',
  tooOld: 'This is too old, so nothing was changed. Give the command again: /assistant-admin limit.',
  button: opensForm(FORM_ACTIONS.limit, parseAgent, openLimitForm),
  menu: {
    actionId: LIMIT_CURRENCY_ACTION,
    open: ({ agent }, currency, opened, services) => openLimitForm({ ...agent, currency }, opened, services),
  },
  decision: { hasUntil: true, approver: 'maybe' },
  read(fields, state, { currency }) {
    const read = readLimitFields(fields, toSuffix(state.currency, currency));
    const answer = state.asksForStop ? fields.chosenOf(STOP_QUESTION_FIELD, ['stopped', 'runs']) : undefined;
    const isOpen = state.asksForStop && answer === undefined;
    if (read.errors === undefined && !isOpen) return { filled: { limit: read.filled, answer } };
    return { errors: { ...read.errors, ...(isOpen && { [STOP_QUESTION_FIELD]: UNDECIDED }) } };
  },
  needsApprover({ before }, { limit, answer }) {
    if (answer === 'stopped') return false;
    if (before === 'unknown') return true;
    const after = { limit, stopped: before.stopped };
    return !isSameThreshold(before, after) && toLimitWay(before, after) !== 'less';
  },
  toEdits({ agent, currency, before: shown }, { limit, answer }, until) {
    // The answer to *Is it stopped?* becomes an entry, so that nobody is asked again.
    const stop = answer === undefined ? [] : [setEdit('stop', toAgentTarget(agent), answer === 'stopped')];
    return {
      edits: [setEdit('limit', toAgentTarget(agent, currency), limit, until), ...stop],
      // Nobody was asked whether it is stopped: the plan says that it may be.
      isUnseen: (items) => shown !== 'unknown' && items.some(({ before }) => before === 'unknown'),
      // A value that was unknown does not count as changed.
      isAsShown: (items) =>
        shown === 'unknown' || items.every(({ before }) => isSameThreshold(before as ThresholdState, shown)),
      ...(answer === 'runs' && { options: { unknownStop: 'runs' as const } }),
    };
  },
});

const UNDECIDED = 'Choose one: this app does not know whether the agent is stopped.';

export async function openLimitForm(
  { typed, currency: chosen, ...agent }: PickedAgent & { currency?: string | undefined },
  opened: Opened,
  services: GovernanceServices,
): Promise<void> {
  const { openSession, caller } = opened;
  const session = await openSession();
  const { currency: defaultCurrency } = services;
  const currency = chosen ?? defaultCurrency;
  const { policy } = await services.policy.read();
  const [look, currencies, timeZone] = await Promise.all([
    lookAtAgent({ agent, currency, caller, session, policy }, SOON_MS, services),
    readCurrencies({ ...agent, currency }, session, services),
    services.timeZone(caller),
  ]);
  const { shown } = look;
  const before = typeof shown === 'string' ? ('unknown' as const) : { limit: shown.limit, stopped: shown.stopped };
  const state = { agent, currency, before, asksForStop: asksForStop(look) };
  const window = buildLimitForm(look, { timeZone, defaultCurrency, currencies, typed });
  await showForm(LIMIT_FORM, { state, ...window }, opened, services);
}

/** The currencies of the environment's credits, if they can be read soon. */
async function readCurrencies(
  { environmentId, currency }: { environmentId: string; currency: string },
  session: AdminSession,
  services: GovernanceServices,
): Promise<string[]> {
  const allocation = await soon(session.readAllocation(environmentId));
  const names = typeof allocation === 'string' ? [] : allocation.currencyAllocations.map((one) => one.currencyType);
  return listCurrencies(names, currency, services.currency);
}

type LimitFormOptions = {
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
    ...(isNumber ? [] : [warnNotNumber(typed, '5000 or 5,000', parseLimitCredits(typed))]),
    ...buildActions([buildStopButton(look)]),
  ];
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
