// The classifications of a bulk change: each is one record beside the register, whose id tells whether it was made.
import { mergeOverlay } from '../register/merge-overlay.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import { toIdKey } from '../register/register.ts';
import type { ApprovedSources, ReadyRegister } from '../review/approved-state.ts';
import { completeLog, type DecisionPorts, DecisionUnclearError, decideOnce } from '../review/decide-once.ts';
import { classifyEnvironment, type DecisionRequest, NAMED_MEANWHILE, type Problem } from '../review/decisions.ts';
import { readReady } from '../review/reviewed-finding.ts';
import type { AccountPorts } from '../shell/access.ts';
import type { ClassificationItem } from './bulk-item.ts';
import type { BulkChange } from './bulk-records.ts';
import type { CarriedOut, ItemRecord } from './run-bulk.ts';

export type ClassifyPorts = ApprovedSources & AccountPorts & DecisionPorts & { now: () => number };

/** The file of the register may change meanwhile; it may be long, so it is not read for each. */
const REREAD_EVERY = 50;

const RECORDED = { kind: 'recorded', written: 'yes' } as const;

/** For one run of one bulk change. Its functions throw where the store fails. */
export function createClassifying({ by, confirmed }: BulkChange, ports: ClassifyPorts) {
  const { team, workspace, user } = by;
  let earlier: Promise<readonly OverlayRecord[]> | undefined;
  let approved: Promise<ReadyRegister | Problem> | undefined;
  let account: Promise<string | undefined> | undefined;
  let begun = 0;

  function readRegister(): Promise<ReadyRegister | Problem> {
    if (begun % REREAD_EVERY === 0) approved = undefined;
    begun += 1;
    approved ??= readReady(ports);
    return approved;
  }

  return {
    /** What was recorded before this run, with its entry in the audit log. */
    async readRecord(id: string): Promise<ItemRecord | undefined> {
      earlier ??= ports.overlay.list();
      const record = (await earlier).find((one) => one.id === id);
      if (record === undefined) return undefined;
      await completeLog(record, ports);
      return { id, at: record.at, outcome: RECORDED };
    },

    /** Safe to repeat: a record that is there is not made again. */
    async carryOut(item: ClassificationItem, id: string): Promise<CarriedOut> {
      const now = await readRegister();
      if ('problem' in now) return failed('register_not_ready');
      if (now.registerHash !== item.registerHash) return conflict('register_changed');
      const { reason = '', approval } = confirmed ?? {};
      account ??= ports.adminAccount({ team, user }).then((known) => known?.account);
      const approved = approval && {
        ...{ approvedBy: approval.by.user, approverAccount: approval.approverAccount, account: approval.account },
      };
      const request = { id, by: { team, workspace, user }, account: await account, reason, ...approved };
      return classify({ item, request, approved: now }, ports);
    },
  };
}

type Classifying = {
  item: ClassificationItem;
  request: Omit<DecisionRequest, 'at' | 'registerHash'>;
  approved: ReadyRegister;
};

async function classify({ item, request, approved }: Classifying, ports: ClassifyPorts): Promise<CarriedOut> {
  const { environmentId, classification, allocations, unnamedAgents, registerHash } = item;
  let other: string | undefined;
  const decide = async (records: readonly OverlayRecord[]) => {
    // All others are of no matter here: merging them for each of thousands takes long.
    const own = records.filter((record) => toIdKey(record.environmentId) === toIdKey(environmentId));
    other = own.findLast(({ kind }) => kind === 'classification')?.by.user;
    const { register } = mergeOverlay(approved.own, own);
    const what = { classification, allocations, unnamedAgents, registerHash, register };
    return classifyEnvironment(item, { ...request, ...what, at: ports.now() });
  };
  try {
    const decided = await decideOnce({ id: request.id, environmentId }, decide, ports);
    if (decided.kind !== 'problem') return { outcome: RECORDED };
    if (decided.sentence !== NAMED_MEANWHILE) return { ...conflict('not_classified'), sentence: decided.sentence };
    return { ...conflict('named_meanwhile'), by: other };
  } catch (error) {
    // The next run looks whether it was recorded.
    throw error instanceof DecisionUnclearError ? error.cause : error;
  }
}

function failed(reason: string): CarriedOut {
  return { outcome: { kind: 'failed', written: 'no', reason } };
}

function conflict(reason: string): CarriedOut {
  return { outcome: { kind: 'conflict', written: 'no', reason } };
}
