// `/assistant-admin review draft`: the register with everything in it that was found and that it does not name yet.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { ChangeStore } from '../changes/change.ts';
import { buildEmptyRegister } from '../register/draft-entries.ts';
import { type ExportedAdditions, findExported } from '../register/export-register.ts';
import type { Register } from '../register/register.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { readApproved } from './approved-state.ts';
import { buildRegisterProblem } from './approved-views.ts';
import { type Draft, draftEnvironments } from './draft-register.ts';
import { type ExportPorts, writeAndSend } from './export-command.ts';
import { describeReason, formatCount } from './finding-words.ts';

/** `stopping`: aborted when the app begins to stop. */
export type DraftPorts = ExportPorts & { changes: Pick<ChangeStore, 'lastSet'>; stopping: AbortSignal };

const READING =
  'I am reading all environments and agents. The draft comes in our direct messages; with hundreds of environments it takes a few minutes.';

const NOTHING =
  'There is nothing to draft: the register names every environment that was found. `/assistant-admin review` compares them with it.';

const STOPPED = 'This app is being restarted, so nothing was drafted. Give the command again in a minute.';

/** `/assistant-admin review draft` */
export async function draftRegister({ caller, openSession, say }: Asking, ports: DraftPorts): Promise<void> {
  const base = await readBase({ say }, ports);
  if (base === undefined) return;
  const session = await openSession();
  await say(buildAdminText(READING));
  const draft = await readDraft(base.register, session, ports);
  if (draft === undefined) return void (await say(buildAdminText(STOPPED)));
  const { drafted, gaps } = draft;
  const warnings = describeGaps(gaps);
  if (drafted.length === 0) return void (await say(buildAdminText([...warnings, NOTHING].join('\n'))));
  const wanted = {
    name: 'register-draft',
    file: base.text,
    additions: { ...base.additions, drafts: drafted },
    comment: describeDraft(drafted.length, warnings),
  };
  await writeAndSend(wanted, { caller, say }, ports);
}

/** What the draft is added to: the register with the decisions made in Slack, or an empty one where there is no file. */
type Base = { register: Register; text: string; additions: ExportedAdditions };

const EMPTY: Register = { reviewedAgents: 'all', otherCurrencies: 'report', defaults: {}, environments: [] };

async function readBase({ say }: Pick<Asking, 'say'>, ports: DraftPorts): Promise<Base | undefined> {
  const approved = await readApproved(ports);
  const now = ports.now();
  if (approved.kind === 'ready') {
    const { register, own, text, records } = approved;
    return { register, text, additions: findExported(own, records, now) };
  }
  if (approved.kind === 'none') {
    const text = buildEmptyRegister(new Date(now).toISOString().slice(0, 10));
    return { register: EMPTY, text, additions: { environments: [], agents: [], exceptions: [] } };
  }
  if (approved.kind === 'unreadable_file') ports.log.error({ err: approved.error }, 'register not read');
  await say(buildRegisterProblem(approved));
  return undefined;
}

/** Undefined where this app stops. */
async function readDraft(register: Register, session: AdminSession, ports: DraftPorts): Promise<Draft | undefined> {
  const { changes, now, log, stopping } = ports;
  const reading = draftEnvironments(
    register,
    { session, changes, now },
    {
      wait: (ms, signal) => sleep(ms, undefined, { signal }),
      signal: stopping,
      onUnexpected: (error) => log.error({ err: error }, 'environment not drafted'),
    },
  );
  return reading.catch((error: unknown) => {
    if (!stopping.aborted) throw error;
    return undefined;
  });
}

function describeGaps({ environments, agents }: Draft['gaps']): string[] {
  const lists = [
    ['environments', environments],
    ['agents', agents],
  ] as const;
  return lists.flatMap(([what, gap]) =>
    gap === undefined ? [] : [`:warning: The list of ${what} is not complete: ${describeReason(gap)}.`],
  );
}

/** What is said above the file: mrkdwn. */
export function describeDraft(drafted: number, warnings: readonly string[]): string {
  const added = `*A draft of the register*: ${formatCount(drafted, 'environment')} that it does not name yet, each as it was found, with what it says already.`;
  return [added, ...warnings, DECIDE].join('\n');
}

const DECIDE =
  'Every new entry is marked *DECIDE*: write `maker-development` or `funded-production` in the place of `undecided`, and look at the credits, rules and limits that you approve with it. Until then it counts as not in the register. Keep the file under version control; this app never writes it.';
