// From the window of a limit to the edits of the policy.
import { isSameThreshold, toLimitWay } from '../plan/compare.ts';
import type { Item } from '../plan/plan.ts';
import type { ThresholdState } from '../plan/seen.ts';
import { type Edit, setEdit } from '../policy/edit.ts';
import type { Limit } from '../policy/values.ts';
import type { GovernanceServices } from '../services.ts';
import { optional } from '../shell/admin-failure.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import { carryOut, readDecision } from './decision-form.ts';
import {
  buildLimitForm,
  LIMIT_CURRENCY_ACTION,
  LIMIT_FORM,
  LIMIT_TOPIC,
  type LimitState,
  parseLimitState,
  readLimitFields,
  readStopAnswer,
  STOP_QUESTION_FIELD,
} from './limit-form-views.ts';
import { lookAtAgent } from './look-at-agent.ts';
import { FORM_ACTIONS, type PickedAgent, parseAgent } from './target-buttons.ts';
import { listCurrencies, onCurrency, toSuffix } from './window-views.ts';

/** For somebody who waits in front of a form (ms). */
const SOON_MS = 2_000;

const TOO_OLD = 'This is too old, so nothing was changed. Give the command again: /assistant-admin limit.';

export async function openLimitForm(
  { typed, ...agent }: PickedAgent & { currency?: string | undefined },
  { modal, session, caller, replyTo }: Opened,
  services: GovernanceServices,
): Promise<void> {
  const { currency: chosen, ...target } = agent;
  const currency = chosen ?? services.currency;
  const { policy } = await services.policy.read();
  const [look, currencies, timeZone] = await Promise.all([
    lookAtAgent({ agent: target, currency, caller, session, policy }, SOON_MS, services),
    readCurrencies({ ...target, currency }, session, services),
    services.timeZone(caller),
  ]);
  const { currency: defaultCurrency, needsApproval } = services;
  await modal.show(buildLimitForm(look, { timeZone, replyTo, defaultCurrency, currencies, typed, needsApproval }));
}

/** What else the environment has credits of, where that can be read. */
async function readCurrencies(
  { environmentId, currency }: { environmentId: string; currency: string },
  session: Opened['session'],
  services: GovernanceServices,
): Promise<string[]> {
  const allocation = await optional(session.readAllocation(environmentId));
  const names = typeof allocation === 'string' ? [] : allocation.currencyAllocations.map((one) => one.currencyType);
  return listCurrencies(names, currency, services.currency);
}

export function registerLimitForm(shell: AdminShell, services: GovernanceServices): void {
  const button = { actionId: FORM_ACTIONS.limit, topic: LIMIT_TOPIC, parse: parseAgent, outOfDate: TOO_OLD };
  shell.onModalButton(button, (agent, opened) => openLimitForm(agent, opened, services));

  const menu = { actionId: LIMIT_CURRENCY_ACTION, topic: LIMIT_TOPIC, parse: parseLimitState, tooOld: TOO_OLD };
  const openIn = ({ agent }: LimitState, currency: string, opened: Opened) =>
    openLimitForm(
      { ...agent, environmentName: agent.environmentName, ownerId: agent.ownerId, currency },
      opened,
      services,
    );
  onCurrency(shell, menu, openIn, services);

  shell.onSubmission({ callbackId: LIMIT_FORM, topic: LIMIT_TOPIC, isFresh: true }, (submission) =>
    submitLimit(submission, services),
  );
}

/** What is wrong is said at its field. */
export async function submitLimit(submission: Submission, services: GovernanceServices): Promise<Answer> {
  const { view, caller } = submission;
  const state = parseLimitState(view.private_metadata);
  if (!state) return { answer: toProblem(TOO_OLD, LIMIT_TOPIC) };
  const values = view.state.values as FormValues;
  const filled = readLimitFields(values, toSuffix(state.currency, services.currency));
  const answer = state.asksForStop ? readStopAnswer(values) : undefined;
  const errors = {
    ...('errors' in filled && filled.errors),
    ...(state.asksForStop && answer === undefined && { [STOP_QUESTION_FIELD]: UNDECIDED }),
  };
  const needsApprover = 'limit' in filled && answer !== 'stopped' && allowsMore(state, filled.limit);
  const decision = await readDecision(values, { caller, errors, needsApprover }, services);
  if ('errors' in decision || 'errors' in filled) {
    return { answer: { response_action: 'errors', errors: 'errors' in decision ? decision.errors : errors } };
  }
  const edits = toLimitEdits(state, { limit: filled.limit, until: decision.until, answer });
  const isAsShown = (items: readonly Item[]) => items.every(({ before }) => isSame(before, state.before));
  const form = { edits, decision, isAsShown, ...(answer === 'runs' && { options: { unknownStop: 'runs' as const } }) };
  const topic = { ...LIMIT_TOPIC, loading: 'Setting the limit…' };
  return carryOut(form, submission, { topic, replyTo: state.replyTo }, services);
}

/** What one of them does not know is no change. */
function isSame(now: Item['before'], shown: LimitState['before']): boolean {
  return now === 'unknown' || shown === 'unknown' || isSameThreshold(now as ThresholdState, shown);
}

const UNDECIDED = 'Choose one: nothing here can tell whether this agent is to run.';

/** As far as it can be known before the service is read again. */
function allowsMore({ before }: LimitState, limit: Limit): boolean {
  if (before === 'unknown') return true;
  const after = { limit, stopped: before.stopped };
  return !isSameThreshold(before, after) && toLimitWay(before, after) !== 'less';
}

/** The answer to *Is it stopped?* becomes an entry, so that nobody is asked again. */
function toLimitEdits(
  { agent, currency }: Pick<LimitState, 'agent' | 'currency'>,
  { limit, until, answer }: { limit: Limit; until: string | undefined; answer: 'stopped' | 'runs' | undefined },
): Edit[] {
  const { environmentId, agentId } = agent;
  const stop = answer === undefined ? [] : [setEdit('stop', { environmentId, agentId }, answer === 'stopped')];
  return [setEdit('limit', { environmentId, agentId, currency }, limit, until), ...stop];
}
