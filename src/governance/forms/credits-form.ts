// From the window of an environment's credits to the edit of the policy.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import { parseCredits } from '../operations/credits.ts';
import { findCredits, isSameCreditsState, toCreditsWay } from '../plan/compare.ts';
import type { Item } from '../plan/plan.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { SeenCredits } from '../plan/seen.ts';
import { setEdit } from '../policy/edit.ts';
import { type Policy, readClass, readCredits, readStandard } from '../policy/policy.ts';
import { isSameId } from '../policy/target.ts';
import { type Credits, RULE_TYPES } from '../policy/values.ts';
import type { GovernanceServices } from '../services.ts';
import { optional } from '../shell/admin-failure.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import {
  buildCreditsForm,
  CREDITS_CURRENCY_ACTION,
  CREDITS_FORM,
  CREDITS_TOPIC,
  type CreditsLook,
  type CreditsState,
  parseCreditsState,
  readCreditsFields,
  toCreditsErrors,
} from './credits-form-views.ts';
import { carryOut, readDecision } from './decision-form.ts';
import { findOwner } from './look-at-agent.ts';
import { FORM_ACTIONS, type PickedEnvironment, parseEnvironment } from './target-buttons.ts';
import { listCurrencies, onCurrency, toSuffix } from './window-views.ts';

const TOO_OLD = 'This is too old, so nothing was changed. Give the command again: /assistant-admin credits.';

export async function openCreditsForm(
  { typed, ...environment }: PickedEnvironment,
  opened: Opened,
  services: GovernanceServices,
  currency = services.currency,
): Promise<void> {
  const { modal, caller, replyTo } = opened;
  const [look, timeZone] = await Promise.all([
    lookAtCredits(environment, currency, opened, services),
    services.timeZone(caller),
  ]);
  const { currency: defaultCurrency, needsApproval } = services;
  await modal.show(buildCreditsForm(look, { timeZone, replyTo, defaultCurrency, typed, needsApproval }));
}

async function lookAtCredits(
  { environmentId, name }: { environmentId: string; name: string },
  currency: string,
  { session, caller }: Opened,
  services: GovernanceServices,
): Promise<CreditsLook> {
  const [{ policy }, seen, entitlements, ownerId] = await Promise.all([
    services.policy.read(),
    readSeen(session, { environments: [{ environmentId, name, ownerId: undefined }], currencies: [] }, services),
    optional(session.readEntitlements(environmentId)),
    findOwnerId(environmentId, { session, caller }, services),
  ]);
  const looked = seen.credits(environmentId) ?? 'unreadable';
  const names = looked === 'unreadable' ? [] : Object.keys(looked.credits);
  const currencies = listCurrencies(names, currency, services.currency);
  const used =
    entitlements === 'gap'
      ? undefined
      : entitlements.find((one) => isSameId(one.entitlementId ?? '', currency))?.consumed;
  return {
    environment: { environmentId, name, ownerId },
    owner: await findOwner({ ownerId }, caller, services),
    ...{ currency, currencies, used, shown: toShown(looked, currency), others: listOthers(looked, currency) },
    ...readApproved({ environmentId, currency }, policy, services.now()),
  };
}

function readApproved(target: { environmentId: string; currency: string }, policy: Policy, now: number) {
  const { environmentId, currency } = target;
  return {
    className: readClass(policy, environmentId, now),
    ofClass: findCredits(readStandard(policy, environmentId, now)?.credits ?? {}, currency),
    policy: readCredits(policy, target, now),
  };
}

/** As far as it is known: the window does not wait for a list of its own. */
async function findOwnerId(
  environmentId: string,
  { session, caller }: { session: AdminSession; caller: Opened['caller'] },
  { inventories }: Pick<GovernanceServices, 'inventories'>,
): Promise<string | undefined> {
  const found = await optional(inventories.toSession(session, caller, { isFresh: false }).findEnvironments());
  return found === 'gap' ? undefined : found.rows.find(({ name }) => isSameId(name, environmentId))?.ownerId;
}

function toShown(looked: SeenCredits, currency: string): CreditsLook['shown'] {
  return looked === 'unreadable' ? looked : (findCredits(looked.credits, currency) ?? 'none');
}

/** Other currencies, and rules that the contract does not name: an update sends them along as they are. */
function listOthers(looked: SeenCredits, currency: string): string[] {
  if (looked === 'unreadable' || looked.raw === 'none') return [];
  const { currencyAllocations }: Allocation = looked.raw;
  return currencyAllocations.flatMap(({ currencyType, enforcementRules }) => {
    if (!isSameId(currencyType, currency)) return [currencyType];
    const names = enforcementRules.map(({ ruleType }) => ruleType);
    return names.filter((name) => !RULE_TYPES.some((rule) => isSameId(rule, name)));
  });
}

export function registerCreditsForm(shell: AdminShell, services: GovernanceServices): void {
  const button = { actionId: FORM_ACTIONS.credits, topic: CREDITS_TOPIC, parse: parseEnvironment, outOfDate: TOO_OLD };
  shell.onModalButton(button, (environment, opened) => openCreditsForm(environment, opened, services));

  const menu = { actionId: CREDITS_CURRENCY_ACTION, topic: CREDITS_TOPIC, parse: parseCreditsState, tooOld: TOO_OLD };
  const openIn = ({ environment }: CreditsState, currency: string, opened: Opened) =>
    openCreditsForm(environment, opened, services, currency);
  onCurrency(shell, menu, openIn, services);

  shell.onSubmission({ callbackId: CREDITS_FORM, topic: CREDITS_TOPIC, isFresh: true }, (submission) =>
    submitCredits(submission, services),
  );
}

/** What is wrong is said at its field. */
export async function submitCredits(submission: Submission, services: GovernanceServices): Promise<Answer> {
  const { view, caller } = submission;
  const state = parseCreditsState(view.private_metadata);
  if (!state) return { answer: toProblem(TOO_OLD, CREDITS_TOPIC) };
  const values = view.state.values as FormValues;
  const suffix = toSuffix(state.currency, services.currency);
  const parsed = parseCredits(readCreditsFields(values, suffix));
  const { credits } = parsed;
  const errors = parsed.errors === undefined ? {} : toCreditsErrors(parsed.errors, suffix);
  const needsApprover = credits !== undefined && allowsMore(state, credits);
  const decision = await readDecision(values, { caller, errors, needsApprover }, services);
  if ('errors' in decision || credits === undefined) {
    return { answer: { response_action: 'errors', errors: 'errors' in decision ? decision.errors : errors } };
  }
  const { environment, currency, used, replyTo } = state;
  const target = { environmentId: environment.environmentId, currency };
  const edits = [setEdit('credits', target, credits, decision.until)];
  const isAsShown = (items: readonly Item[]) => items.every((item) => isSame(item, state));
  const form = { edits, decision, isAsShown, options: { used: () => used } };
  return carryOut(
    form,
    submission,
    { topic: { ...CREDITS_TOPIC, loading: 'Setting the credits…' }, replyTo },
    services,
  );
}

/** As far as it can be known before the service is read again. */
function allowsMore({ before, currency }: CreditsState, credits: Credits): boolean {
  if (before === 'unreadable') return true;
  const [old, next] = [before === 'none' ? {} : { [currency]: before }, { [currency]: credits }];
  return !isSameCreditsState(old, next) && toCreditsWay(old, next) !== 'less';
}

/** What could not be read is no change. */
function isSame(item: Item, { before: shown, currency }: CreditsState): boolean {
  if (item.resource !== 'credits' || shown === 'unreadable') return true;
  const now = findCredits(item.before, currency);
  return isSameCreditsState(now ? { [currency]: now } : {}, shown === 'none' ? {} : { [currency]: shown });
}
