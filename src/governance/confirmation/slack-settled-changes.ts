// Settles what broke off, and writes to whoever made it, and to the second admin with whose account it was sent.
import { english } from '../../languages/english.ts';
import { type Content, toMrkdwnLine } from '../../slack/views/content.ts';
import { buildSignInButtons } from '../../slack/views/sign-in.ts';
import { readAuditedRows } from '../audit/audited-rows.ts';
import type { Change, ChangeOutcome } from '../changes/change.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { describeBrokenOff, describeInterrupted, describeRow } from '../changes/change-views.ts';
import { describeAgent, describeEnvironment } from '../inventory/inventory-views.ts';
import { fitLines, toSections } from '../shell/blocks.ts';
import { type TimeZones, tryDm, type WritePorts } from '../shell/respond.ts';
import { kindOf } from './change-kinds.ts';
import { type ChangedNames, type SettledEnd, type SettlePorts, settleChanges, toSender } from './settle-changes.ts';

export type SettlerPorts = Omit<SettlePorts, 'tell'> & WritePorts & TimeZones;

/** A sweep, for every replica to call again and again: a call while one runs does nothing. Throws StoreUnavailableError. */
export function createChangeSettler(ports: SettlerPorts): (stopping: AbortSignal) => Promise<void> {
  let running = false;
  return async (stopping) => {
    if (running) return;
    running = true;
    try {
      await settleChanges({ ...ports, tell: (change, end) => tell(change, end, ports) }, stopping);
    } finally {
      running = false;
    }
  };
}

/** False: whoever made it was not reached. */
async function tell(change: Change, end: SettledEnd, ports: SettlerPorts): Promise<boolean> {
  const { team, workspace, user } = change;
  const write = async (reader: string) => {
    const recipient = { team, workspace, user: reader };
    const timeZone = await ports.timeZone(recipient);
    return tryDm(recipient, buildSettledChange(change, end, { timeZone, reader }), ports);
  };
  const sender = toSender(change);
  // It is tried again until whoever made it is reached: the other one would read it each time.
  if (!(await write(user))) return false;
  if (sender !== user) await write(sender);
  return true;
}

type Options = {
  timeZone: string;
  /** The Slack user id of who reads it. */
  reader: string;
};

export function buildSettledChange(change: Change, end: SettledEnd, options: Options): Content {
  const { timeZone, reader } = options;
  const rows = listRows(change);
  if (end.kind === 'settled') {
    const { outcome, names } = end;
    const headline = describeInterrupted({ ...change, outcome }, timeZone, describeChange(change, names));
    return toSections(headline, [...rows, describeNext(change, outcome)]);
  }
  const began = `:warning: ${describeBrokenOff(change, timeZone, describeChange(change, {}))} It may or may not have been made.`;
  const settles = `${kindOf(toKind(change)).advice.openAgain}: that shows what became of it.`;
  if (end.kind === 'unreadable') {
    const why = `I could not look what is there now. ${toMrkdwnLine(end.sentence, 600)}`;
    return toSections(began, [...rows, why, settles]);
  }
  const sender = toSender(change);
  const why = `I could not look what is there now: I would do that with the sign-in of <@${sender}>, with which it was sent, and that has ended.`;
  const { text, blocks } = toSections(began, [...rows, why, settles]);
  if (reader !== sender) return { text, blocks };
  return { text, blocks: [...blocks, buildSignInButtons('admin', english)] };
}

function toKind(change: Change): Pick<PlannedChange, 'kind'> {
  if (change.kind === 'allocation') return { kind: 'allocation' };
  return { kind: change.action === undefined ? 'limit' : 'stop' };
}

/** As in *the limit of X in Y*: mrkdwn. */
function describeChange(change: Change, { agent, environment }: ChangedNames): string {
  const { environmentId } = change;
  if (change.kind === 'allocation') return `the allocation of ${describeEnvironment(environmentId, environment)}`;
  const { agentResourceId: name, currencyType, action } = change;
  const what = action === undefined ? 'limit' : 'state';
  const named = { name, displayName: agent ?? '', environmentId, environmentName: environment, currencyType };
  return `the ${what} of ${describeAgent(named)}`;
}

function listRows(change: Change): string[] {
  const rows = readAuditedRows(change) ?? [];
  return rows.length === 0 ? [] : [fitLines(rows.map(describeRow))];
}

function describeNext(change: Change, { kind, written }: ChangeOutcome): string {
  const { openAgain, check } = kindOf(toKind(change)).advice;
  switch (kind) {
    case 'verified':
      return 'Nothing is left to do.';
    case 'applied_not_verified':
      return `${check}.`;
    case 'conflict':
      return `${openAgain}, and decide from what is there now.`;
    case 'failed':
      return written === 'no' ? `${openAgain} if it is still wanted.` : `${check}.`;
  }
}
