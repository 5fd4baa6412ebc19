// `/assistant-admin policy`: shows, exports and imports it, lists what ends, and says where a value comes from.
import { endException } from '../../policy/edit.ts';
import { ofInstallation, type Policy } from '../../policy/policy.ts';
import { sendFileTo } from '../exports/slack-export.ts';
import { toNames } from '../inventory/known-inventory.ts';
import { readTargetNames } from '../run/item-words.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Asking, CommandWork } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { Opened } from '../shell/modal.ts';
import { readKnown, sayEffective } from './effective-message.ts';
import { IMPORT_TOPIC, openImport, registerImport } from './import-form.ts';
import { buildEnding, buildPolicyMessage, END_ACTION, listExceptions } from './policy-message.ts';
import { writeDocument } from './write-document.ts';

const UNKNOWN =
  'Unknown. Try `policy`, `policy export`, `policy import`, `policy ending` or `policy effective #channel`.';

type Work = (rest: string, asking: Asking, services: GovernanceServices) => Promise<void>;

/** What changes nothing: auditors may do it as well. */
const WORDS: Record<string, Work> = {
  '': sayPolicy,
  export: sendExport,
  ending: sayEnding,
  effective: sayEffective,
};

/** `text`: what follows `policy`. */
export function policyCommand(text: string, services: GovernanceServices): CommandWork {
  const [word = '', ...rest] = text.trim().split(/\s+/);
  if (word.toLowerCase() === 'import')
    return { topic: IMPORT_TOPIC, open: (opened) => openImport(rest[0], opened, services), check: { isForAll: true } };
  const work = WORDS[word.toLowerCase()] ?? (async (_, { say }) => void (await say(buildAdminText(UNKNOWN))));
  return { run: (asking) => work(rest.join(' '), asking, services), check: { forAuditors: true } };
}

async function readOwnPolicy({ workspace }: Caller, { policy }: Pick<GovernanceServices, 'policy'>): Promise<Policy> {
  return ofInstallation((await policy.read()).policy, workspace);
}

async function sayPolicy(_rest: string, { caller, role, say }: Asking, services: GovernanceServices): Promise<void> {
  const policy = await readOwnPolicy(caller, services);
  await say(buildPolicyMessage(policy, { now: services.now(), role }));
}

async function sayEnding(_rest: string, { caller, role, say }: Asking, services: GovernanceServices): Promise<void> {
  const [policy, name] = await Promise.all([readOwnPolicy(caller, services), readTargetNames(services)]);
  await say(buildEnding(policy, name, { now: services.now(), canEnd: role === 'admin' }));
}

const SENT = buildAdminText('I sent it to you in our direct messages.');

async function sendExport(_rest: string, asking: Asking, services: GovernanceServices): Promise<void> {
  const [policy, known] = await Promise.all([readOwnPolicy(asking.caller, services), readKnown(services)]);
  const file = {
    name: `policy-${policy.revision}.yaml`,
    content: writeDocument(policy, toNames(known)),
    comment: `*Policy ${policy.revision}*: change the file, and give \`/assistant-admin policy import\` to see what that does.`,
  };
  await sendFileTo(asking, file, SENT, services);
}

const END_TOPIC = { id: 'policy_end', title: 'End an exception', loading: 'Looking up what that changes…' };

const NOT_THERE = 'This exception has ended already.';

/** Registers what is clicked and submitted. */
export function registerPolicy(shell: AdminShell, services: GovernanceServices): void {
  registerImport(shell, services);
  const button = { actionId: END_ACTION, topic: END_TOPIC, parse: (key: string) => key, outOfDate: NOT_THERE };
  const check = { isForAll: !services.hasInterface };
  shell.onModalButton({ ...button, check }, (key, opened) => showEnd(key, opened, services));
}

async function showEnd(key: string, opened: Opened, services: GovernanceServices): Promise<void> {
  const { policy } = await services.policy.read();
  const entry = policy.entries[key];
  const isOpen = entry && listExceptions({ entries: { [key]: entry } }, services.now()).length > 0;
  if (!isOpen) return opened.modal.showProblem(NOT_THERE);
  const proposal = await services.engine.propose([endException(entry)], opened);
  await showPlan(opened, proposal, services);
}
