// The windows of administrators: as usual, and with the longest names and values that there may be.
import type { ModalView } from '@slack/types';
import { MAX_PAUSE_WORD } from '../../../src/conversation/channel-settings.ts';
import { buildPauseWindow, PAUSE_FORMS } from '../../../src/governance/channel-rules/pause-form.ts';
import { buildRulesForm, RULES_FORM } from '../../../src/governance/channel-rules/rules-form.ts';
import { buildClassForm, CLASS_FORM } from '../../../src/governance/forms/class-form.ts';
import { buildCreditsForm, CREDITS_FORM, type CreditsLook } from '../../../src/governance/forms/credits-form.ts';
import { buildSearchModal } from '../../../src/governance/forms/form-command.ts';
import { buildLimitForm, LIMIT_FORM, LIMIT_TOPIC } from '../../../src/governance/forms/limit-form.ts';
import type { AgentLook } from '../../../src/governance/forms/now-words.ts';
import { AGENTS, buildPickWindow, ENVIRONMENTS } from '../../../src/governance/forms/pick-form.ts';
import { STOP_FORMS } from '../../../src/governance/forms/stop-form.ts';
import { buildAgentStop, buildEnvironmentStop } from '../../../src/governance/forms/stop-form-views.ts';
import { buildLimitAllForm, LIMIT_ALL_FORM } from '../../../src/governance/lists/list-actions.ts';
import { buildImportForm } from '../../../src/governance/policy-documents/import-form.ts';
import { buildDraftForm, DRAFT_FORM } from '../../../src/governance/review/draft-form.ts';
import { buildKeepForm, KEEP_FORM } from '../../../src/governance/review/keep-form.ts';
import { buildWorking } from '../../../src/governance/run/kept-form.ts';
import { english } from '../../../src/languages/english.ts';
import { applyEdits, setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Stated } from '../../../src/policy/policy.ts';
import { buildLoadingModal, buildProblemModal } from '../../../src/slack/views/modal.ts';
import { ALL_OFF, toEntries } from '../../governance/channel-rules/channel-entries.ts';
import { NOW } from '../../governance/lists/list-world.ts';
import { aPolicy, WHY } from '../../governance/policy-documents/policy-samples.ts';
import { CURRENCY } from '../../governance/samples.ts';
import { AGENT, BAD, type Kind, LIMIT, LONG_ID, toWindow, toWindowKinds, WORST_AGENT, ZONE } from './kind.ts';

const REPLY_TO = `https://hooks.slack.com/actions/${'T'.repeat(200)}`;

export const listAdminWindowKinds = (): Kind[] => toWindowKinds({ ...FORMS(), ...REVIEW(), ...RULES() });

type Windows = Record<string, ModalView>;

function stated<Value>(value: Value): Stated<Value> & { level: 'exception'; until: string } {
  const why = { by: 'U0KIM', approvedBy: 'U0ANA', reason: BAD, at: NOW };
  return { value, level: 'exception', until: '2026-12-31', why };
}

const LOOK: AgentLook = {
  ...{ agent: AGENT, currency: CURRENCY, owner: 'U0ANA', sent: undefined },
  shown: { limit: 'none', stopped: false, used: 190 },
  ...{ limit: undefined, stop: undefined, className: undefined, standard: undefined },
};

const WORST_LOOK: AgentLook = {
  ...{ agent: WORST_AGENT, currency: CURRENCY, owner: undefined, className: BAD },
  ...{ shown: 'hidden', sent: { limit: LIMIT, stopped: true, at: NOW, run: 'r' } },
  ...{ limit: stated(LIMIT), stop: stated(true), standard: { limit: LIMIT, credits: {} } },
};

const CREDITS_LOOK: CreditsLook = {
  environment: { environmentId: 'env-1', name: 'Production', ownerId: 'ana' },
  ...{
    owner: 'U0ANA',
    currency: CURRENCY,
    currencies: [CURRENCY],
    others: [],
    className: 'maker',
    used: 190,
    isOfMonth: true,
  },
  ...{ shown: { allocated: 5_000, rules: { Alert: true } }, ofClass: undefined, policy: undefined },
};

const WORST_CREDITS: CreditsLook = {
  environment: { environmentId: LONG_ID, name: BAD, ownerId: BAD },
  ...{ owner: undefined, currency: CURRENCY, className: BAD, used: 1e300, isOfMonth: true, shown: 'unreadable' },
  currencies: [CURRENCY, ...Array.from({ length: 99 }, (_, index) => `${BAD.slice(0, 140)}${index}`)],
  others: Array.from({ length: 50 }, () => BAD),
  ...{ ofClass: { allocated: 1e15, rules: {} }, policy: stated({ allocated: 1e15, rules: { Deny: true } }) },
};

const FORMS = (): Windows => {
  const currencies = [CURRENCY, ...Array.from({ length: 99 }, (_, index) => `${BAD.slice(0, 140)}${index}`)];
  const form = { ...ZONE, defaultCurrency: CURRENCY, typed: undefined };
  const worst = { ...form, currencies, typed: BAD };
  const picking = {
    ...{ topic: LIMIT_TOPIC, button: { actionId: 'form_limit' as const, text: 'Limit…' }, query: BAD, typed: '5' },
    ...{ replyTo: REPLY_TO, owners: new Map([[BAD, 'U0ANA']]) },
  };
  const row = {
    name: LONG_ID,
    agentResourceId: LONG_ID,
    displayName: BAD,
    environmentId: LONG_ID,
    environmentName: BAD,
    ownerId: BAD,
  };
  const rows = Array.from({ length: 30 }, () => ({ ...row, isHarness: true }));
  const agents = Array.from({ length: 200 }, () => WORST_AGENT);
  const environment = { environmentId: LONG_ID, name: BAD };
  const found = { environment, agents, staying: agents.slice(0, 100), stop: stated(true) } as never;
  const standard = { limit: LIMIT, credits: { [BAD]: { allocated: 1e15, rules: { PayGo: true } } } };
  const names = ['maker', 'production', ...Array.from({ length: 60 }, (_, index) => `${'x'.repeat(35)}${index}`)];
  const edits = names.map((className) => setEdit('standard', { className }, standard));
  const policy = applyEdits(EMPTY_POLICY, edits, { by: 'U0KIM', reason: BAD, at: NOW });
  const classes = { policy, now: NOW };
  return {
    'a limit': toWindow(LIMIT_FORM, buildLimitForm(LOOK, { ...form, currencies: [CURRENCY] })),
    'a limit, at its worst': toWindow(LIMIT_FORM, buildLimitForm(WORST_LOOK, worst)),
    'a limit that nobody knows': toWindow(LIMIT_FORM, buildLimitForm({ ...LOOK, shown: 'unreadable' }, worst)),
    'a limit that loads': buildLoadingModal(LIMIT_TOPIC, english),
    'a limit that fails': buildProblemModal(BAD, LIMIT_TOPIC, english),
    'a limit that is set': buildWorking(LIMIT_TOPIC),
    'a search for agents': buildSearchModal({ command: 'limit', replyTo: REPLY_TO }),
    'a search for environments': buildSearchModal({ command: 'credits', replyTo: REPLY_TO }),
    credits: toWindow(CREDITS_FORM, buildCreditsForm(CREDITS_LOOK, form)),
    'credits, at their worst': toWindow(CREDITS_FORM, buildCreditsForm(WORST_CREDITS, { ...form, typed: BAD })),
    'a class': toWindow(CLASS_FORM, buildClassForm([environment], { ...classes, initial: undefined })),
    'a class of many': toWindow(
      CLASS_FORM,
      buildClassForm(
        Array.from({ length: 200 }, () => environment),
        { ...classes, initial: 'maker' },
      ),
    ),
    'one limit for all': toWindow(LIMIT_ALL_FORM, buildLimitAllForm(12, BAD.slice(0, 200))),
    'a stop': toWindow(STOP_FORMS.stop, buildAgentStop('stop', LOOK, form)),
    'a stop, at its worst': toWindow(STOP_FORMS.stop, buildAgentStop('stop', WORST_LOOK, form)),
    'an agent to run again': toWindow(STOP_FORMS.run, buildAgentStop('run', WORST_LOOK, form)),
    'a stop of an environment': toWindow(STOP_FORMS.stop, buildEnvironmentStop('stop', found)),
    'an environment to run again': toWindow(STOP_FORMS.run, buildEnvironmentStop('run', found)),
    'a choice of agents': buildPickWindow(AGENTS, rows, picking),
    'a choice of environments': buildPickWindow(
      ENVIRONMENTS,
      rows.map(() => ({ ...environment, ownerId: BAD })),
      picking,
    ),
  };
};

const REVIEW = (): Windows => {
  const fresh = { group: 'new', environmentId: LONG_ID, name: BAD, ownerId: BAD, pool: true, agents: 9 } as const;
  return {
    'a draft of the policy': toWindow(DRAFT_FORM, buildDraftForm()),
    'a difference to keep': toWindow(KEEP_FORM, buildKeepForm(fresh, true)),
    'a policy to import': buildImportForm(undefined, REPLY_TO),
    'a policy to import, which was sent': buildImportForm({ id: 'F1', name: BAD } as never, REPLY_TO),
  };
};

const RULES = (): Windows => {
  const pause = { value: { word: BAD.slice(0, MAX_PAUSE_WORD) }, level: 'entry', why: WHY } as const;
  const on = { questions: 'allowed', answers: 'thread', webSearch: true, threadContext: true } as const;
  const all = { workspace: 'T1', channel: '*' };
  const channel = { workspace: 'T1', channel: 'C0PLANS' };
  const policy = aPolicy(...toEntries(all, ALL_OFF), ...toEntries(channel, on));
  const form = { configured: {}, now: NOW };
  return {
    'channel rules': toWindow(RULES_FORM, buildRulesForm(channel, policy, form)),
    'the rules of a workspace': toWindow(RULES_FORM, buildRulesForm(all, policy, { ...form, configured: ALL_OFF })),
    'the first channel rules': toWindow(RULES_FORM, buildRulesForm(channel, EMPTY_POLICY, form)),
    'a pause': toWindow(PAUSE_FORMS.pause, buildPauseWindow('pause', undefined, { word: '', ...ZONE })),
    'a pause that goes on': toWindow(PAUSE_FORMS.pause, buildPauseWindow('pause', pause, { word: '', ...ZONE })),
    'the end of a pause': toWindow(PAUSE_FORMS.resume, buildPauseWindow('resume', pause, { word: '', ...ZONE })),
  };
};
