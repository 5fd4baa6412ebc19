// Shows people the progress and the outcome of a run: where they confirmed it, or in their direct messages.
import type { ModalView } from '@slack/types';
import { parseClickPlace } from '../../slack/answer-clicks.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import type { GovernanceServices } from '../services.ts';
import { buildEndModal } from '../shell/modal.ts';
import { type Say, tryDm } from '../shell/respond.ts';
import type { RunTeller } from './carry-out-run.ts';
import { readTargetNames } from './item-words.ts';
import { buildFinished, buildOutcome, buildProgress, withPeople } from './run-message.ts';
import type { Run } from './run-store.ts';

/** Where the run was confirmed, as long as the process lives. */
export type Live = { say: Say; show?: ((view: ModalView) => Promise<void>) | undefined };

/** `live`: for a run that is carried out at once. Without it, the outcome is a message. */
export function createTeller(services: GovernanceServices, live?: Live): RunTeller {
  const { messenger, channels, runs, log } = services;
  let shown: { place: { workspace: string; channel: string }; ts: string } | undefined;

  const orLog = (work: () => Promise<unknown>) =>
    work().catch((error: unknown) => log.warn({ code: toCallCode(error) }, 'progress of a run not shown'));

  return {
    async begin(run, { plan }) {
      if (isQuiet(run)) return;
      await orLog(async () => {
        const { workspace, user } = run.by;
        const place = { workspace, channel: await channels.directMessage(workspace, user) };
        const ts =
          run.messageTs ?? (await messenger.post(place, buildProgress({ run, done: 0, total: plan.items.length })));
        shown = { place, ts };
        if (run.messageTs === undefined) await runs.change(run.id, (one) => ({ ...one, messageTs: ts }));
      });
    },
    progress(progress) {
      const at = shown;
      if (at) void orLog(() => messenger.update(at.place, at.ts, buildProgress(progress), 'extra'));
    },
    async end(ended) {
      const { run } = ended;
      const content = withPeople(buildOutcome(ended, await readTargetNames(services)), run);
      if (live) return sayLive(content, live);
      const at = shown;
      shown = undefined;
      await sayOutcome(run, content, services);
      if (at) await orLog(() => messenger.update(at.place, at.ts, buildFinished(ended)));
    },
  };
}

async function sayLive(content: Content, { say, show }: Live): Promise<void> {
  await say(content);
  // Buttons of messages do not work in a window.
  const blocks = content.blocks.filter(({ type }) => type !== 'actions');
  await show?.(buildEndModal('run_end', 'Done', blocks));
}

/** Up to this many changes get no progress message: they are done before anybody would read it. */
const FEW = 25;

function isQuiet({ items, isStop, messageTs }: Run): boolean {
  return messageTs === undefined && (items <= FEW || isStop);
}

/** Tells the requester, where they confirmed or in direct messages, and the approver. */
async function sayOutcome(run: Run, content: Content, services: GovernanceServices): Promise<void> {
  const { by, approver, replyTo, items } = run;
  // A script on the server began it, and nobody in Slack waits for it: see AuditPeople.
  if (by.team === '') return;
  if (approver !== undefined || items > FEW) {
    await tryDm(by, content, services);
  } else {
    const body = { team: { id: by.workspace }, user: { id: by.user } };
    await services.clicks.say(body, content, { place: parseClickPlace(replyTo) });
  }
  if (approver !== undefined) await tryDm(approver, content, services);
}
