// The windows that stop agents and let them run again.
import type { Effective } from '../../policy/policy.ts';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import { fitBlocks, shortenLines, toMrkdwnName } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { describeEffective } from '../operations/effective-words.ts';
import { describeValue } from '../operations/operations.ts';
import type { SeenAgent } from '../plan/seen.ts';
import type { FormWindow } from '../run/kept-form.ts';
import { buildLines, joinNames } from '../shell/blocks.ts';
import { formatCredits } from '../shell/numbers.ts';
import { type AgentLook, describeAgentNow } from './now-words.ts';

/** `run`: lets agents run again. */
export type StopWhat = 'stop' | 'run';

export const STOP_TOPICS: Record<StopWhat, ModalTopic> = {
  stop: { id: 'form_stop', title: 'Stop', loading: 'Opening…' },
  run: { id: 'form_run', title: 'Run again', loading: 'Looking up whether it is stopped…' },
};

type Options = { timeZone: string; defaultCurrency: string };

export function buildAgentStop(what: StopWhat, look: AgentLook, options: Options): FormWindow {
  const effect = what === 'stop' ? describeStop(look) : describeRun(look);
  return {
    submit: what === 'stop' ? 'Stop' : 'Run again',
    blocks: fitBlocks(buildLines([...describeAgentNow(look, options), effect])),
  };
}

function describeStop(look: AgentLook): string {
  return `*Stops now for everybody.* ${describeKept(look)}`;
}

function describeRun(look: AgentLook): string {
  const isByEnvironment = look.stop?.level === 'environment' && look.stop.value;
  return isByEnvironment
    ? `*Runs again at once*, while the other agents of its environment stay stopped. ${describeKept(look)}`
    : `*Runs again at once.* ${describeKept(look)}`;
}

/** The limit that is sent with it, as the plan chooses it: see find-differences.ts. */
function describeKept({ shown, limit, sent }: AgentLook): string {
  if (typeof shown !== 'string') return 'Its limit stays as it is.';
  const known = limit?.value ?? sent?.limit;
  const kept = known === undefined ? 'no limit, because none is known here' : describeValue('limit', known);
  return `The service takes this only with a limit: ${kept}.`;
}

/** Further names are only counted. */
const MAX_NAMES = 20;

export type EnvironmentStop = {
  environment: { environmentId: string; name: string };
  agents: readonly SeenAgent[];
  /** Those that stay stopped by entries of their own. */
  staying: readonly SeenAgent[];
  /** What the policy says of the whole environment. */
  stop: Effective<boolean> | undefined;
  /** Whether the service shows the limits of all of them. */
  areLimitsShown: boolean;
};

export function buildEnvironmentStop(
  what: StopWhat,
  { environment, agents, staying, stop, areLimitsShown }: EnvironmentStop,
): FormWindow {
  const moving = agents.length - staying.length;
  const name = describeEnvironment(environment.environmentId, environment.name);
  const kept = areLimitsShown ? LIMITS_KEPT : `${LIMITS_KEPT} ${LIMITS_SENT}`;
  const lines =
    what === 'stop'
      ? [
          `${name}: *${countAgents(agents.length)} now, for everybody.* ${kept}`,
          listNames(agents),
          'Agents that are created there later appear in the next review.',
        ]
      : [
          `${name}: *${formatCredits(moving)} of ${formatCredits(agents.length)} agents run again at once.* ${kept}`,
          ...(staying.length === 0 ? [] : [`Stopped individually, and stay stopped: ${listNames(staying)}`]),
        ];
  const policy = stop === undefined ? [] : [`Policy: ${describeEffective('stop', stop)}`];
  return {
    submit: what === 'stop' ? `Stop ${formatCredits(agents.length)}` : `Run ${formatCredits(moving)} again`,
    blocks: fitBlocks(buildLines([...lines, ...policy])),
  };
}

const LIMITS_KEPT = 'The limits stay as they are.';

const LIMITS_SENT =
  'Where the service does not show one, what the policy says is sent, else what was sent last, else no limit.';

function countAgents(count: number): string {
  return count === 1 ? '1 agent stops' : `${formatCredits(count)} agents stop`;
}

function listNames(agents: readonly SeenAgent[]): string {
  const names = agents.map(({ name, agentId }) => toMrkdwnName(name || agentId, 60));
  return shortenLines(joinNames(names, MAX_NAMES), SECTION_LIMIT);
}
