import { isPrescribed, type Pause, type RuleStore, toEffective, type WorkspaceRules } from './channel-rules.ts';
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

/** Replicas tell each other about changes. This limit applies if such a message is lost. */
const TTL_MS = 15_000;

export type RuleReader = ReturnType<typeof createRuleReader>;

/** The rules are read for every question, and hardly ever change: each workspace's are kept for a short time. */
export function createRuleReader({ store, now }: { store: Pick<RuleStore, 'get'>; now(): number }) {
  const reads = new Map<string, { at: number; rules: Promise<WorkspaceRules | undefined> }>();

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
    /** Throws StoreUnavailableError. */
    async of({ workspace, channel, audience }: RuledPlace): Promise<QuestionRules> {
      const stored = await read(workspace);
      return toQuestionRules(stored, audience === 'person' ? undefined : channel);
    },
    /** Undefined: questions are asked. Throws StoreUnavailableError. */
    pauseOf: async (workspace: string) => (await read(workspace))?.pause,
    /** Forgets what was read of a workspace. */
    forget: (workspace: string) => void reads.delete(workspace),
  };
}

/** `channel`: undefined in a direct message. */
function toQuestionRules(stored: WorkspaceRules | undefined, channel: string | undefined): QuestionRules {
  const { questions, answers, webSearch, threadContext } = toEffective(stored, channel, {});
  return {
    pause: stored?.pause,
    isRefused: channel !== undefined && questions.value === 'refused',
    isPrivate: channel !== undefined && answers.value === 'private',
    isWebOff: webSearch.value === 'off',
    threadContext: isPrescribed(threadContext) ? threadContext.value : undefined,
  };
}
