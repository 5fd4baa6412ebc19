// `/assistant-admin policy effective …`: each value, the level that it comes from, and why.
import { toEffective } from '../../conversation/channel-rules.ts';
import { buildSection, type Content, fitBlocks, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { describeEffective } from '../channel-rules/rule-words.ts';
import { describeValue, OPERATIONS } from '../operations/operations.ts';
import type { Policy } from '../policy/policy.ts';
import type { Target } from '../policy/target.ts';
import type { Values } from '../policy/values.ts';
import { type NameTarget, readTargetNames } from '../run/item-words.ts';
import type { GovernanceServices } from '../services.ts';
import { type Asking, buildCommandButton } from '../shell/admin-shell.ts';
import { buildLines } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { type EffectiveRow, findClass, listEffective } from './effective.ts';
import { findTargets, type PolicyNames, readNames } from './policy-names.ts';
import { describeLevel, describeWhy } from './policy-words.ts';

const CHANNEL = /^[CG][A-Z0-9]{2,}$/;

const NOTHING = 'Say of what: `policy effective #channel`, or the name of an agent or an environment.';

/** `typed`: a channel's id, or the name of an agent or environment, perhaps in part. */
export async function sayEffective(
  typed: string,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  services: GovernanceServices,
): Promise<void> {
  if (typed === '') return void (await say(buildAdminText(NOTHING)));
  const [{ policy }, name] = await Promise.all([services.policy.read(), readTargetNames(services)]);
  if (CHANNEL.test(typed)) {
    const target = { team: caller.team, channel: typed };
    const rules = toEffective(await services.ruleStore.get(caller.workspace), typed, services.configuredRules);
    return void (await say(buildEffective(policy, target, { name, rules: describeEffective(rules) }, services)));
  }
  const names = await readNames(services);
  const [target, ...others] = findTargets(typed, names);
  if (target === undefined) return void (await say(buildAdminText(describeUnknown(typed, names))));
  const content =
    others.length > 0
      ? buildWhich(typed, [target, ...others], { ...names, name })
      : buildEffective(policy, target, { name, rules: [] }, services);
  await say(content);
}

function describeUnknown(typed: string, { agents }: PolicyNames): string {
  const hint = agents.length === 0 ? ' Nothing was listed yet: try `agents` first.' : '';
  return `No agent or environment fits “${toMrkdwnLine(typed, 100)}”.${hint}`;
}

/** More to choose from help nobody. */
const MAX_CHOICES = 5;

function buildWhich(
  typed: string,
  targets: readonly Target[],
  { toName, name }: PolicyNames & { name: NameTarget },
): Content {
  const shown = targets.slice(0, MAX_CHOICES);
  const text = `${targets.length} fit “${toMrkdwnLine(typed, 100)}”. Which one do you mean?`;
  const lines = shown.map((target) => `• ${name(target)}`);
  const buttons = shown.flatMap((target, nth) => {
    const [id, part] =
      'agentId' in target ? [target.agentId, 'agent' as const] : [toEnvironmentId(target), 'environment' as const];
    const command = part === 'agent' ? `policy effective ${id}` : `policy effective env:${id}`;
    return buildCommandButton((toName(part, target) ?? id).slice(0, 60).toWellFormed(), command, nth) ?? [];
  });
  const blocks = [buildSection([text, ...lines].join('\n')), { type: 'actions' as const, elements: buttons }];
  return { text, blocks: fitBlocks(blocks) };
}

function toEnvironmentId(target: Target): string {
  return 'environmentId' in target ? target.environmentId : '';
}

type Options = Pick<GovernanceServices, 'now' | 'currency'>;

/** `rules`: of a channel, in mrkdwn: what is set beside the policy. */
export function buildEffective(
  policy: Policy,
  target: Target,
  { name, rules }: { name: NameTarget; rules: readonly string[] },
  { now, currency: defaultCurrency }: Options,
): Content {
  const at = now();
  const className = findClass(policy, target, at);
  const rows = listEffective(policy, target, { now: at, defaultCurrency });
  const lines = rows.map((row) => describeRow(row, { className, defaultCurrency }));
  const title = `${name(target)} · policy ${policy.revision}`;
  return { text: title, blocks: fitBlocks([buildSection(title), ...buildLines([...lines, ...rules])]) };
}

function describeRow(
  { setting, currency, value, from }: EffectiveRow,
  { className, defaultCurrency }: { className: string | undefined; defaultCurrency: string },
): string {
  const { noun } = OPERATIONS[setting];
  const of = currency === undefined || currency === defaultCurrency ? '' : ` (${toMrkdwnName(currency, 40)})`;
  const label = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}${of}`;
  if (value === undefined) return `${label}: _not governed_`;
  const words = toMrkdwnLine(describeValue(setting, value as Values[typeof setting]), 300);
  if (from === undefined) return `${label}: *${words}* _(built in)_`;
  const why = from.why ? ` ${describeWhy(from.why)}` : '';
  return `${label}: *${words}* _(${describeLevel(from, className)})_${why}`;
}
