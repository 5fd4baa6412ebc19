// Changes what administrators set for the questions of their workspace, with two entries in the audit log.
import { randomUUID } from 'node:crypto';
import {
  type Pause,
  RULE_NAMES,
  type RuleStore,
  type Rules,
  type WorkspaceRules,
} from '../../conversation/channel-rules.ts';
import type { AuditEntry, AuditStore, SettingAction } from '../audit/audit-log.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';

export type ChangeRulesPorts = {
  ruleStore: RuleStore;
  audit: Pick<AuditStore, 'append'>;
  /** Tells all replicas. */
  rulesChanged(workspace: string): void;
  now(): number;
};

/** `channel`: undefined for the default of the workspace. */
type RuleChange = { kind: 'rules'; channel: string | undefined; before: Rules; after: Rules };

/** `before` and `after`: undefined where questions are asked. */
type PauseChange = { kind: 'pause'; before: Pause | undefined; after: Pause | undefined };

/** `before`: what the admin was shown. */
export type SettingChange = RuleChange | PauseChange;

/** `conflict`: it is not what the admin was shown any more, so nothing was changed. */
export type SettingOutcome = 'changed' | 'conflict';

type Request = { by: Caller; reason: string };

/** Throws StoreUnavailableError: then it may have been changed. */
export async function changeRules(
  change: SettingChange,
  request: Request,
  { ruleStore, audit, rulesChanged, now }: ChangeRulesPorts,
): Promise<SettingOutcome> {
  const { workspace } = request.by;
  const stored = await ruleStore.get(workspace);
  if (toCanonicalJson(readCurrent(stored, change)) !== toCanonicalJson(toPlain(change.before))) return 'conflict';
  const changeId = randomUUID();
  const log = (outcome: AuditEntry['outcome']) =>
    audit.append(toEntry(change, request, { at: now(), changeId, outcome }));
  await log({ kind: 'begun' });
  const wanted = withChange(stored ?? { schema: 1, workspace, everywhere: {}, channels: {} }, change);
  const isSaved = await ruleStore.save(wanted, stored?.version ?? 0);
  rulesChanged(workspace);
  await log(isSaved ? { kind: 'done' } : { kind: 'conflict', written: 'no' });
  return isSaved ? 'changed' : 'conflict';
}

/** What is set for a channel, or for the workspace. */
export function readRules(stored: WorkspaceRules | undefined, channel: string | undefined): Rules {
  return (channel === undefined ? stored?.everywhere : stored?.channels[channel]) ?? {};
}

function readCurrent(stored: WorkspaceRules | undefined, change: SettingChange): unknown {
  return toPlain(change.kind === 'pause' ? stored?.pause : readRules(stored, change.channel));
}

/** As JSON would keep it: without what is undefined. */
function toPlain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

function withChange(stored: Omit<WorkspaceRules, 'version'>, change: SettingChange): Omit<WorkspaceRules, 'version'> {
  if (change.kind === 'pause') return { ...stored, pause: change.after };
  const { channel, after } = change;
  if (channel === undefined) return { ...stored, everywhere: after };
  const { [channel]: _, ...others } = stored.channels;
  const isAnySet = RULE_NAMES.some((name) => after[name] !== undefined);
  return { ...stored, channels: isAnySet ? { ...others, [channel]: after } : others };
}

function toEntry(
  change: SettingChange,
  { by, reason }: Request,
  { at, changeId, outcome }: Pick<AuditEntry, 'at' | 'outcome'> & { changeId: string },
): AuditEntry {
  const { team, workspace, user } = by;
  return {
    ...{ schema: 1, at, what: toAction(change), who: { user }, team, workspace },
    subject: { changeId },
    ...toStates(change),
    ...{ reason, outcome, requestIds: [] },
  };
}

function toAction(change: SettingChange): SettingAction {
  if (change.kind === 'rules') return 'channel_rules_changed';
  return change.after ? 'workspace_paused' : 'workspace_resumed';
}

function toStates(change: SettingChange): Pick<AuditEntry, 'before' | 'after'> {
  if (change.kind === 'rules') {
    const place = { channel: change.channel ?? 'all' };
    return { before: { ...place, rules: change.before }, after: { ...place, rules: change.after } };
  }
  const toState = (pause: Pause | undefined) => (pause ? { paused: 'yes', word: pause.word } : { paused: 'no' });
  return { before: toState(change.before), after: toState(change.after) };
}
