// What administrators do: they set limits and stop agents, think before they confirm, press twice, approve or reject, and
// some use the service's own console instead.
import { BridgeError } from '../../src/errors.ts';
import type { Proposal } from '../../src/governance/run/engine.ts';
import { type Edit, endEdit, setEdit } from '../../src/policy/edit.ts';
import { AGENTS, type AgentId, CURRENCY } from './admin-machine.ts';
import { ADMINS } from './administration.ts';
import type { Fleet } from './fleet.ts';
import type { Act } from './history.ts';
import type { World } from './world.ts';

type Govern = Extract<Act, { kind: 'govern' }>;

/** Between two reviews, once everything works again. */
const REVIEW_EVERY_MS = 40_000;

export type Administrators = ReturnType<typeof createAdministrators>;

export function createAdministrators({ time, random, admin }: World, fleet: Fleet, wall: () => number) {
  const plans = new Set<string>();
  let agreedAt: number | undefined;
  const after = (ms: number, work: () => void) => time.at(time.now() + ms, work);

  function confirm(proposal: Proposal, by: string, { decideMs = 1_000, isApproved = true, presses = 1 } = {}): void {
    plans.add(proposal.plan.id);
    const other = ADMINS.find((one) => one !== by) ?? by;
    for (let press = 0; press < presses; press += 1) {
      after(press * 500, () =>
        fleet.on(fleet.pick(), ({ administration }) => administration.confirm(proposal, by).catch(giveUp)),
      );
    }
    if (!proposal.needsApprover) return;
    after(decideMs, () =>
      fleet.on(fleet.pick(), ({ administration }) =>
        administration.decide(proposal.plan.id, other, isApproved).catch(giveUp),
      ),
    );
  }

  /** Sets back what is not as the policy says, until a review finds nothing. */
  function review(): void {
    fleet.on(fleet.pick(), async ({ administration }) => {
      const found = await administration.review(ADMINS[0]).catch(giveUp);
      if (found === 'nothing') agreedAt = time.wall();
      else if (found) after(0, () => confirm(found, ADMINS[0]));
    });
    after(REVIEW_EVERY_MS, () => agreedAt === undefined && review());
  }

  return {
    review,
    /** The ids of all plans that were confirmed. */
    plans: plans as ReadonlySet<string>,
    /** When a review found nothing any more, by the clock of its process (epoch ms). */
    agreedAt: () => agreedAt,
    govern(act: Govern): void {
      const by = ADMINS[act.admin] ?? ADMINS[0];
      const agent = AGENTS[act.agent] as AgentId;
      fleet.on(fleet.pick(), async ({ administration }) => {
        const edit = toEdit(act, agent, new Date(wall()).toISOString().slice(0, 10));
        const proposal = await administration.propose([edit], by).catch(giveUp);
        const how = { decideMs: act.decideMs, isApproved: random.chance(0.8), presses: random.between(1, 2) };
        if (proposal) after(act.thinkMs, () => confirm(proposal, by, how));
      });
    },
    setByHand({ agent, credits }: Extract<Act, { kind: 'set_by_hand' }>): void {
      const { environmentId, agentId } = AGENTS[agent] as AgentId;
      admin.setByHand(`${environmentId} ${agentId}`, credits);
    },
  };
}

/** `today`: an exception holds through its last day. */
function toEdit({ change, credits }: Govern, { environmentId, agentId }: AgentId, today: string): Edit {
  const limit = { credits, noticeAt: 'off', stopAtLimit: true } as const;
  const agent = { environmentId, agentId };
  switch (change) {
    case 'limit':
      return setEdit('limit', { ...agent, currency: CURRENCY }, limit);
    case 'limit_today':
      return setEdit('limit', { ...agent, currency: CURRENCY }, limit, today);
    case 'stop':
      return setEdit('stop', agent, true);
    case 'run':
      return setEdit('stop', agent, false);
    case 'stop_all':
      return setEdit('stop', { environmentId }, true);
    case 'end_stop_all':
      return endEdit('stop', { environmentId });
  }
}

/** People read what went wrong, and leave it at that. A fault of ours is none of that. */
function giveUp(error: unknown): undefined {
  if (!(error instanceof BridgeError)) throw error;
}
