import {
  isPrescribed,
  type Pause,
  type RuleStore,
  type Rules,
  toEffective,
  type WorkspaceRules,
} from './channel-rules.ts';
import type { Question } from './question.ts';

/** What administrators have set for one question. */
export type QuestionRules = {
  pause?: Pause | undefined;
  /** Questions are not allowed in this channel. */
  isRefused: boolean;
  /** The answer goes to the asker alone, whatever they chose. */
  isPrivate: boolean;
  isWebOff: boolean;
  /** Undefined: they set nothing, so the configuration decides. */
  threadContext?: 'on' | 'off' | undefined;
};

export type RuledPlace = Pick<Question, 'workspace' | 'channel' | 'audience'>;

export type RuleReader = {
  /** Throws StoreUnavailableError. */
  of(place: RuledPlace): Promise<QuestionRules>;
  /** Undefined: questions are asked. Throws StoreUnavailableError. */
  pauseOf(workspace: string): Promise<Pause | undefined>;
  /** Forgets what was read of a workspace. */
  forget(workspace: string): void;
};

/** Replicas tell each other about changes. This limit applies if such a message is lost. */
const TTL_MS = 15_000;

type Read = { at: number; rules: Promise<WorkspaceRules | undefined> };

/** The rules are read for every question, and hardly ever change: each workspace's are kept for a short time. */
export function createRuleReader({ store, now }: { store: Pick<RuleStore, 'get'>; now(): number }): RuleReader {
  const reads = new Map<string, Read>();

  function read(workspace: string): Promise<WorkspaceRules | undefined> {
    const known = reads.get(workspace);
    if (known && Math.abs(now() - known.at) < TTL_MS) return known.rules;
    const rules = store.get(workspace);
    const one = { at: now(), rules };
    reads.set(workspace, one);
    // Failures are not cached: the next question reads again.
    rules.catch(() => reads.get(workspace) === one && reads.delete(workspace));
    return rules;
  }

  return {
    async of({ workspace, channel, audience }) {
      const stored = await read(workspace);
      return toQuestionRules(stored, audience === 'person' ? undefined : channel);
    },
    pauseOf: async (workspace) => (await read(workspace))?.pause,
    forget: (workspace) => void reads.delete(workspace),
  };
}

const NOTHING_CONFIGURED: Rules = {};

/** `channel`: undefined in a direct message. */
function toQuestionRules(stored: WorkspaceRules | undefined, channel: string | undefined): QuestionRules {
  const { questions, answers, webSearch, threadContext } = toEffective(stored, channel, NOTHING_CONFIGURED);
  return {
    pause: stored?.pause,
    isRefused: channel !== undefined && questions.value === 'refused',
    isPrivate: channel !== undefined && answers.value === 'private',
    isWebOff: webSearch.value === 'off',
    threadContext: isPrescribed(threadContext) ? threadContext.value : undefined,
  };
}
