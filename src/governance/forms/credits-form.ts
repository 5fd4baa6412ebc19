// Makes an edit of the policy from the window of an environment's credits.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type Allocation, isMonthToDate } from '../../admin-api/licensing-wire.ts';
import { setEdit } from '../../policy/edit.ts';
import { type Policy, readClass, readCredits, readStandard } from '../../policy/policy.ts';
import { isSameId } from '../../policy/target.ts';
import { type Credits, RULE_TYPES } from '../../policy/values.ts';
import { withinTime } from '../../time-limit.ts';
import { findCredits, isSameCreditsState, toCreditsWay } from '../plan/compare.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { SeenCredits } from '../plan/seen.ts';
import { opensForm, showForm } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import { optional } from '../shell/admin-failure.ts';
import type { Opened } from '../shell/modal.ts';
import {
  buildCreditsForm,
  CREDITS_CURRENCY_ACTION,
  CREDITS_TOPIC,
  type CreditsLook,
  readCreditsFields,
} from './credits-form-views.ts';
import { listCurrencies, toSuffix } from './currency-views.ts';
import { findOwner, SOON_MS } from './now-words.ts';
import { toKeptForm } from './policy-form.ts';
import { FORM_ACTIONS, type PickedEnvironment, parseEnvironment } from './target-buttons.ts';

/** What the window was made from. `before`: what the service showed; `none`: no such credits. */
type CreditsState = {
  environment: { environmentId: string; name: string };
  currency: string;
  before: CreditsLook['shown'];
  used: number | undefined;
};

export const CREDITS_FORM = toKeptForm<CreditsState, Credits>({
  callbackId: 'form_credits_set',
  topic: CREDITS_TOPIC,
  working: 'Setting the credits…',
  tooOld: 'This is too old, so nothing was changed. Give the command again: /assistant-admin credits.',
  button: opensForm(FORM_ACTIONS.credits, parseEnvironment, openCreditsForm),
  menu: {
    actionId: CREDITS_CURRENCY_ACTION,
    open: ({ environment }, currency, opened, services) => openCreditsForm(environment, opened, services, currency),
  },
  decision: { hasUntil: true, approver: 'maybe' },
  read: (fields, state, { currency }) => readCreditsFields(fields, toSuffix(state.currency, currency)),
  needsApprover({ before, currency }, credits) {
    if (before === 'unreadable') return true;
    const [old, next] = [before === 'none' ? {} : { [currency]: before }, { [currency]: credits }];
    return !isSameCreditsState(old, next) && toCreditsWay(old, next) !== 'less';
  },
  toEdits: ({ environment: { environmentId }, currency, before, used }, credits, until) => ({
    edits: [setEdit('credits', { environmentId, currency }, credits, until)],
    // A value that could not be read does not count as changed.
    isAsShown: (items) =>
      items.every((item) => {
        if (item.resource !== 'credits' || before === 'unreadable') return true;
        const now = findCredits(item.before, currency);
        return isSameCreditsState(now ? { [currency]: now } : {}, before === 'none' ? {} : { [currency]: before });
      }),
    options: { used: () => used },
  }),
});

export async function openCreditsForm(
  { typed, ...environment }: PickedEnvironment,
  opened: Opened,
  services: GovernanceServices,
  currency = services.currency,
): Promise<void> {
  const look = await lookAtCredits(environment, currency, opened, services);
  const state = { environment, currency, before: look.shown, used: look.used };
  const window = buildCreditsForm(look, { defaultCurrency: services.currency, typed });
  await showForm(CREDITS_FORM, { state, ...window }, opened, services);
}

async function lookAtCredits(
  { environmentId, name }: { environmentId: string; name: string },
  currency: string,
  { openSession, caller }: Opened,
  services: GovernanceServices,
): Promise<CreditsLook> {
  const session = await openSession();
  const [{ policy }, seen, entitlements, ownerId] = await Promise.all([
    services.policy.read(),
    readSeen(session, { environments: [{ environmentId, name, ownerId: undefined }], currencies: [] }, services),
    soon(session.readEntitlements(environmentId)),
    findOwnerId(environmentId, { session, caller }, services),
  ]);
  const looked = seen.credits(environmentId) ?? 'unreadable';
  const names = looked === 'unreadable' ? [] : Object.keys(looked.credits);
  const currencies = listCurrencies(names, currency, services.currency);
  const ofCurrency =
    entitlements === 'gap' ? undefined : entitlements.find((one) => isSameId(one.entitlementId ?? '', currency));
  return {
    environment: { environmentId, name, ownerId },
    owner: await findOwner({ ownerId }, caller, services),
    ...{ used: ofCurrency?.consumed, isOfMonth: ofCurrency !== undefined && isMonthToDate(ofCurrency) },
    ...{ currency, currencies, shown: toShown(looked, currency), others: listOthers(looked, currency) },
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

function soon<T>(reading: Promise<T>): Promise<T | 'gap'> {
  return withinTime(SOON_MS, optional(reading), () => 'gap');
}

/** Undefined if it is not found soon: the window does not wait for the list. */
async function findOwnerId(
  environmentId: string,
  { session, caller }: { session: AdminSession; caller: Opened['caller'] },
  { inventories }: Pick<GovernanceServices, 'inventories'>,
): Promise<string | undefined> {
  const found = await soon(inventories.toSession(session, caller, { isFresh: false }).findEnvironments());
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
