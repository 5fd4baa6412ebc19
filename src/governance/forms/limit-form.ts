// Makes edits of the policy from the window of a limit.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { setEdit } from '../../policy/edit.ts';
import { toAgentTarget } from '../../policy/target.ts';
import type { Limit } from '../../policy/values.ts';
import { withinTime } from '../../time-limit.ts';
import { isSameThreshold, toLimitWay } from '../plan/compare.ts';
import type { SeenAgent, ThresholdState } from '../plan/seen.ts';
import { opensForm, showForm } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import { optional } from '../shell/admin-failure.ts';
import type { Opened } from '../shell/modal.ts';
import { listCurrencies, toSuffix } from './currency-views.ts';
import {
  buildLimitForm,
  LIMIT_CURRENCY_ACTION,
  LIMIT_TOPIC,
  readLimitFields,
  readStopAnswer,
  STOP_QUESTION_FIELD,
} from './limit-form-views.ts';
import { asksForStop, lookAtAgent, SOON_MS } from './now-words.ts';
import { toKeptForm } from './policy-form.ts';
import { FORM_ACTIONS, type PickedAgent, parseAgent } from './target-buttons.ts';

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
    const answer = state.asksForStop ? readStopAnswer(fields) : undefined;
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
  const reading = optional(session.readAllocation(environmentId));
  const allocation = await withinTime(SOON_MS, reading, () => 'gap' as const);
  const names = typeof allocation === 'string' ? [] : allocation.currencyAllocations.map((one) => one.currencyType);
  return listCurrencies(names, currency, services.currency);
}
