// What administrators set for the questions of a workspace and of each channel.
import { type Kernel, read } from '../storage/kernel.ts';

/** What one level sets; what it leaves out is inherited from the level above it. Stored: never rename. */
export type Rules = {
  /** Direct messages are always allowed. */
  questions?: 'allowed' | 'refused' | undefined;
  /** `thread`: unless the asker chose private answers. Of channels only. */
  answers?: 'thread' | 'private' | undefined;
  /** `on`: unless the asker turns it off. */
  webSearch?: 'on' | 'off' | undefined;
  /** Whether earlier messages of a thread are quoted with a question. */
  threadContext?: 'on' | 'off' | undefined;
};

export type RuleName = keyof Rules;

export const RULE_NAMES = ['questions', 'answers', 'webSearch', 'threadContext'] as const satisfies RuleName[];

/** During a pause nothing is asked. `word`: the admin's message, or ''. `by`: their Slack user id; `at`: epoch ms. */
export type Pause = { word: string; by: string; at: number };

/** `everywhere`: for channels without rules of their own. Direct messages ignore the rules that are about channels. */
export type WorkspaceRules = {
  schema: 1;
  /** The installing team. */
  workspace: string;
  /** Given by the store. */
  version: number;
  everywhere: Rules;
  /** By channel id. */
  channels: Record<string, Rules>;
  pause?: Pause | undefined;
};

/** Port: the rules of workspaces, one record each. */
export type RuleStore = {
  /** Undefined: nothing was ever set. */
  get(workspace: string): Promise<WorkspaceRules | undefined>;
  /** Writes only over the version `expected`; 0: there is none. False: another version is stored. */
  save(rules: Omit<WorkspaceRules, 'version'>, expected: number): Promise<boolean>;
};

/** From the weakest to the strongest. */
export type RuleLevel = 'built_in' | 'configuration' | 'workspace' | 'channel';

type Values = { [Name in RuleName]-?: NonNullable<Rules[Name]> };

/** Each value, and the level that set it. */
export type EffectiveRules = { [Name in RuleName]-?: { value: Values[Name]; level: RuleLevel } };

const BUILT_IN: Values = { questions: 'allowed', answers: 'thread', webSearch: 'on', threadContext: 'on' };

/** `channel`: undefined for the default of the workspace, and in direct messages. */
export function toEffective(
  stored: Pick<WorkspaceRules, 'everywhere' | 'channels'> | undefined,
  channel: string | undefined,
  configured: Rules,
): EffectiveRules {
  const levels: [RuleLevel, Rules][] = [
    ['channel', (channel !== undefined && stored?.channels[channel]) || {}],
    ['workspace', stored?.everywhere ?? {}],
    ['configuration', configured],
    ['built_in', BUILT_IN],
  ];
  const find = (name: RuleName) => {
    const [level, rules] = levels.find(([, one]) => one[name] !== undefined) ?? ['built_in', BUILT_IN];
    return [name, { value: rules[name], level }];
  };
  return Object.fromEntries(RULE_NAMES.map(find));
}

/** Whether a workspace administrator set it, not the operator of the app. */
export function isPrescribed({ level }: { level: RuleLevel }): boolean {
  return level === 'workspace' || level === 'channel';
}

/** The version of a workspace's rules is that of their document. */
export function createRules(kernel: Kernel): RuleStore {
  return {
    async get(workspace) {
      const found = await read<WorkspaceRules>(kernel, toKey(workspace));
      return found && { ...found.body, version: found.version };
    },
    save: (rules, expected) =>
      kernel.commit([
        {
          put: toKey(rules.workspace),
          body: rules,
          ifVersion: expected,
          entries: [{ index: `workspace:${rules.workspace}` }],
        },
      ]),
  };
}

function toKey(workspace: string): string {
  return `rules:${workspace}`;
}
