// Rules in words, for administrators.
import { z } from 'zod';
import {
  type EffectiveRules,
  isPrescribed,
  RULE_NAMES,
  type RuleLevel,
  type RuleName,
  type Rules,
} from '../../conversation/channel-rules.ts';
import { toMrkdwnLine } from '../../slack/views/content.ts';

type Words<Name extends RuleName> = { label: string; values: Record<NonNullable<Rules[Name]>, string> };

/** Labels and values of the form: at most 75 characters each, as Slack demands. */
export const RULE_WORDS: { [Name in RuleName]-?: Words<Name> } = {
  questions: {
    label: 'Questions',
    values: { allowed: 'Allowed', refused: 'Not allowed: askers are sent to direct messages' },
  },
  answers: {
    label: 'Answers',
    values: { thread: 'In the thread, unless the asker chose private answers', private: 'Always private' },
  },
  webSearch: {
    label: 'Web search',
    values: { on: 'On, unless the asker turns it off', off: 'Always off' },
  },
  threadContext: {
    label: 'Thread context',
    values: { on: 'On: what was said before in the thread goes along', off: 'Off' },
  },
};

const LEVELS: Record<RuleLevel, string> = {
  built_in: 'built in',
  configuration: 'set in the configuration',
  workspace: 'set for the workspace',
  channel: 'set for this channel',
};

export function describeLevel(level: RuleLevel): string {
  return LEVELS[level];
}

/** One line of mrkdwn for each rule, with the level that set it. */
export function describeEffective(effective: EffectiveRules): string[] {
  return RULE_NAMES.map((name) => {
    const { level } = effective[name];
    return `${RULE_WORDS[name].label}: *${describeEffectiveValue(name, effective)}* _(${describeLevel(level)})_`;
  });
}

/** CHANNEL_ANSWERS only proposes: people may choose otherwise when they sign in. */
const PROPOSED_PRIVATE = 'Private, unless the asker chose the thread';

export function describeEffectiveValue(name: RuleName, effective: EffectiveRules): string {
  const { answers } = effective;
  if (name === 'answers' && answers.value === 'private' && !isPrescribed(answers)) return PROPOSED_PRIVATE;
  return describeValue(name, effective[name].value);
}

/** A value that this release does not know is shown as it is stored. */
function describeValue(name: RuleName, value: string): string {
  return (RULE_WORDS[name].values as Record<string, string>)[value] ?? toMrkdwnLine(value, 60);
}

/** Old → new, only what changed: mrkdwn. */
export function describeRuleChanges(before: Rules, after: Rules): string[] {
  return listRuleChanges(before, after).map(({ label, from, to }) => `${label}: ${from} → *${to}*`);
}

function listRuleChanges(before: Rules, after: Rules) {
  const toWords = (name: RuleName, value: string | undefined) =>
    value === undefined ? 'inherited' : describeValue(name, value);
  return RULE_NAMES.filter((name) => before[name] !== after[name]).map((name) => ({
    label: RULE_WORDS[name].label,
    from: toWords(name, before[name]),
    to: toWords(name, after[name]),
  }));
}

/** `channel`: undefined for the default of the workspace. */
export function nameChannel(channel: string | undefined): string {
  return channel === undefined ? 'All channels without rules of their own' : `<#${channel}>`;
}

/** What an entry of the log says was set, in plain text; undefined if it is of something else. */
export function describeSettings(before: unknown, after: unknown): string | undefined {
  const [old, next] = [before, after].map((state) => rulesSchema.safeParse(state).data);
  if (old && next) {
    const place = CHANNEL.test(next.channel) ? next.channel : nameChannel(undefined);
    const changes = listRuleChanges(old.rules as Rules, next.rules as Rules);
    return [place, ...changes.map(({ label, from, to }) => `${label}: ${from} → ${to}`)].join(' · ');
  }
  const pause = pauseSchema.safeParse(after).data;
  if (!pause) return undefined;
  return pause.word ? `word to askers: “${pause.word}”` : '';
}

export const CHANNEL = /^[CG][A-Z0-9]{2,}$/;

const rulesSchema = z.object({ channel: z.string(), rules: z.partialRecord(z.enum(RULE_NAMES), z.string()) });

const pauseSchema = z.object({ paused: z.enum(['yes', 'no']), word: z.string().optional() });
