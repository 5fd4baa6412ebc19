// Carries out bulk changes in the name of their admins, one after the other, and tells them in their direct messages.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Person } from '../../conversation/question.ts';
import { TransientError, UserError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { type CarryOutPorts, carryOut } from '../confirmation/slack-confirmed-change.ts';
import { type DirectPorts, openDirectMessage } from '../review/review-direct-message.ts';
import { type AccessPorts, requireAdmin } from '../shell/access.ts';
import type { TimeZones } from '../shell/respond.ts';
import { type BulkItem, isClassification, needsApproval } from './bulk-item.ts';
import { buildBulkEnded, buildBulkFinished, buildBulkReport } from './bulk-messages.ts';
import {
  type BulkChange,
  type BulkRecordPorts,
  type BulkRecords,
  createBulkRecords,
  type ItemEnd,
} from './bulk-records.ts';
import { type ClassifyPorts, createClassifying } from './carry-out-classification.ts';
import { createPacedSession, type PacedSession } from './paced-session.ts';
import { type BulkResult, runBulk } from './run-bulk.ts';
import { lookAtItemAgain, settleItem } from './settle-item.ts';
import { startTelling, type Told, tellBegin, type Watched } from './slack-bulk-progress.ts';

export type BulkRunsPorts = AccessPorts &
  BulkRecordPorts &
  CarryOutPorts &
  ClassifyPorts &
  Omit<DirectPorts, 'stopping'> &
  TimeZones & {
    /** Throws AccountNotLinkedError, and the other errors of AccessTokens. */
    openSession(person: Person): Promise<AdminSession>;
    /** Waits so many ms. */
    wait?: (ms: number) => Promise<unknown>;
  };

export type BulkRuns = {
  /** One bulk change, as far as it goes. Returns when to call it again (epoch ms); undefined: there is nothing to do. */
  run(isHeld: () => boolean): Promise<number | undefined>;
  /** Begins nothing more; what is on its way comes to its end. */
  stop(): void;
};

/** Where Slack or the sign-in service does not answer. */
const LATER_MS = 30_000;

/** How long it waits where nobody can tell whether its admin is signed in, and still one. */
const ACCESS_PATIENCE_MS = 60 * 60_000;

/** After so many failures of our own nothing more is tried, and it is reported; after twice as many, only logged. */
const MAX_FAULTS = 3;

/** The report is not sent any more after this time. */
const GIVE_UP_MS = 24 * 60 * 60_000;

type Running = BulkRunsPorts & { records: BulkRecords; stopping: AbortSignal; wait: (ms: number) => Promise<unknown> };

export function createBulkRuns(ports: BulkRunsPorts): BulkRuns {
  const stopping = new AbortController();
  const running: Running = {
    wait: sleep,
    ...ports,
    records: createBulkRecords(ports),
    stopping: stopping.signal,
  };
  return {
    async run(isHeld) {
      if (stopping.signal.aborted) return undefined;
      const bulk = await running.records.findOpen();
      if (bulk === undefined) return undefined;
      const goesOn = () => isHeld() && !stopping.signal.aborted;
      const isEnded = await carryOutBulk(bulk, goesOn, running).catch((error) => noteFault(bulk, error, running));
      if (!goesOn()) return undefined;
      return ports.now() + (isEnded ? 0 : LATER_MS);
    },
    stop: () => stopping.abort(),
  };
}

/** One that a bug keeps from its end must not hold up all others. True: it counts as ended. */
async function noteFault({ id }: BulkChange, error: unknown, { records, now, log }: Running): Promise<boolean> {
  if (error instanceof TransientError) throw error;
  const bulk = await records.get(id);
  if (bulk === undefined) throw error;
  const faults = (bulk.faults ?? 0) + 1;
  log.error({ err: error, bulk: id, faults }, 'bulk change failed');
  const isLast = faults > 2 * MAX_FAULTS;
  await records.save({ ...bulk, faults, ...(isLast && { ended: { at: now(), why: 'fault' } }) });
  return isLast;
}

/** False: it goes on later. Throws where the store fails. */
async function carryOutBulk(bulk: BulkChange, goesOn: () => boolean, ports: Running): Promise<boolean> {
  const isGivenUp = (bulk.faults ?? 0) >= MAX_FAULTS;
  const items = await ports.records.readItems(bulk);
  const opened = isGivenUp ? { refusal: 'fault' } : await openAccess({ bulk, items }, ports);
  const access = opened === 'later' ? await waitForAccess(bulk, ports) : opened;
  if (access === undefined) return false;
  const begun = { ...bulk, waitingSince: undefined };
  if (bulk.waitingSince !== undefined) await ports.records.save(begun);
  const told = await tellBegin(begun, ports);
  const watched: Watched = { read: () => ({ counts: {}, total: items.length }), isStopping: false };
  const stopTelling = startTelling(told, watched, ports);
  let result: BulkResult;
  try {
    result = await runItems({ bulk: told.bulk, items, access }, { goesOn, watched }, ports);
  } finally {
    await stopTelling();
  }
  return result !== undefined && report({ ...told, items, result }, ports);
}

/** `paced`: undefined where no item needs the service. */
type Access = { paced: PacedSession | undefined; refusal?: undefined } | { paced?: undefined; refusal: string };

/** Others wait behind it, so it is given up after a while. Undefined: not yet. */
async function waitForAccess(bulk: BulkChange, { records, now }: Running): Promise<Access | undefined> {
  const { waitingSince = now() } = bulk;
  if (now() - waitingSince > ACCESS_PATIENCE_MS) return { refusal: 'no_access' };
  await records.save({ ...bulk, waitingSince });
  return undefined;
}

/** In the name of the admin, or of who approved it, as long as both are admins. */
async function openAccess(
  { bulk: { by, confirmed }, items }: Pick<Work, 'bulk' | 'items'>,
  ports: Running,
): Promise<Access | 'later'> {
  const approver = confirmed?.approval?.by;
  try {
    await requireAdmin(by, ports, { isCounted: false });
  } catch (error) {
    return toRefusal(error, 'not_admin', ports);
  }
  try {
    if (approver !== undefined) await requireAdmin(approver, ports, { isCounted: false });
    if (items.every(isClassification)) return { paced: undefined };
    const session = await ports.openSession(approver ?? by);
    const wait = async (ms: number) => void (await ports.wait(ms));
    return { paced: createPacedSession(session, { now: ports.now, wait }) };
  } catch (error) {
    return toRefusal(error, approver === undefined ? 'not_signed_in' : 'approver_gone', ports);
  }
}

/** Why an item may not be begun, whatever the plan said: a setting or a sign-in may have changed since. */
async function findObstacle(item: BulkItem, { confirmed }: BulkChange, ports: Running) {
  const { approval } = confirmed ?? {};
  if (approval === undefined) return needsApproval(item, ports) ? 'needs_approval' : undefined;
  const { team, user } = approval.by;
  const account = (await ports.adminAccount({ team, user }))?.account;
  return account === approval.approverAccount ? undefined : 'approver_changed';
}

function toRefusal(error: unknown, refusal: string, { log }: Running): Access | 'later' {
  if (error instanceof UserError) return { refusal };
  log.warn({ err: error }, 'bulk change waits');
  return 'later';
}

type Work = { bulk: BulkChange; items: BulkItem[]; access: Access };

function runItems(
  { bulk, items, access }: Work,
  { goesOn, watched }: { goesOn: () => boolean; watched: Watched },
  ports: Running,
): Promise<BulkResult> {
  const { id, by, confirmed } = bulk;
  const { team, workspace, user } = by;
  const { reason = '', approval } = confirmed ?? {};
  const { account, approverAccount } = approval ?? {};
  const approved = approval && { approvedBy: approval.by.user, account, approverAccount };
  const { paced, refusal } = access;
  const classifying = createClassifying(bulk, ports);
  return runBulk(
    { id, items, refusal },
    {
      now: ports.now,
      readRecord: (item, itemId) =>
        isClassification(item) ? classifying.readRecord(itemId) : ports.changes.get(itemId),
      findObstacle: (item) => findObstacle(item, bulk, ports),
      async carryOut(item, changeId) {
        if (isClassification(item)) return classifying.carryOut(item, changeId);
        if (paced === undefined) throw new Error('nothing is carried out without a session');
        const request = { changeId, by: { team, workspace, user }, reason, ...approved };
        const { outcome } = await carryOut({ change: item, request }, paced.session, ports);
        return outcome.kind === 'failed' ? { sentence: outcome.failure.sentence } : {};
      },
      async settle(change, changeId) {
        if (paced !== undefined && !isClassification(change))
          await settleItem(change, { changeId, session: paced.session }, ports);
      },
      async lookAgain(change, changeId) {
        if (paced !== undefined && !isClassification(change))
          await lookAtItemAgain(change, { changeId, session: paced.session }, ports);
      },
      isPaused: () => paced?.isPaused() ?? false,
      wait: async (ms) => void (await ports.wait(ms)),
    },
    {
      goesOn,
      isStopped: () => watched.isStopping,
      watch(read) {
        watched.read = read;
      },
    },
  );
}

type Ended = Told & { items: BulkItem[]; result: NonNullable<BulkResult> };

/** False: Slack does not answer, so it is told later. */
async function report({ bulk, direct, items, result }: Ended, ports: Running): Promise<boolean> {
  const { records, now, log } = ports;
  const ends = await nameOthers(bulk, { items, ends: result.ends }, ports);
  await records.keepEnds(bulk.id, ends);
  const ended = { ...bulk, ended: { at: now(), why: result.why } };
  const begunAt = bulk.confirmed?.at ?? bulk.plannedAt;
  try {
    const place = direct ?? (await openDirectMessage(bulk.by, ports));
    // A message of its own: an edit notifies nobody.
    const content = buildBulkReport({ bulk: ended, items, ends });
    await place.post(content);
    await tellApprover(ended, content, ports);
    if (bulk.messageTs !== undefined) await place.change(bulk.messageTs, buildBulkFinished(now() - begunAt));
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'bulk report not sent');
    const mayPass = error instanceof TransientError || error instanceof OutcomeUnknownError;
    if (mayPass && now() - begunAt < GIVE_UP_MS) return false;
  }
  await records.save(ended);
  const counts = Object.fromEntries(
    [...Map.groupBy(ends, ({ kind }) => kind)].map(([kind, own]) => [kind, own.length]),
  );
  const { team, user } = bulk.by;
  log.info({ team, user, bulk: bulk.id, why: result.why, ms: now() - begunAt, ...counts }, 'bulk change ended');
  return true;
}

/** Best effort: the report is for who asked for it. */
async function tellApprover(bulk: BulkChange, report: Content, ports: Running): Promise<void> {
  const approver = bulk.confirmed?.approval?.by;
  if (approver === undefined) return;
  try {
    await (await openDirectMessage(approver, ports)).post(buildBulkEnded(bulk, report));
  } catch (error) {
    ports.log.warn({ code: toCallCode(error), bulk: bulk.id }, 'bulk report not sent');
  }
}

/** Of a conflict, who changed it from here. */
function nameOthers(
  { id }: BulkChange,
  { items, ends }: { items: readonly BulkItem[]; ends: readonly ItemEnd[] },
  { changes }: Running,
): Promise<ItemEnd[]> {
  return Promise.all(
    ends.map(async (end, index) => {
      const change = items[index];
      if (end.kind !== 'conflict' || change === undefined || isClassification(change)) return end;
      const last = await kindOf(change).findLast(change.plan, changes);
      return last === undefined || last.id.startsWith(`${id}-`) ? end : { ...end, by: last.user };
    }),
  );
}
