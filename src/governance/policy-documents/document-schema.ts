// The form of an exported policy. Each entry has a target, one setting, a reason, and perhaps an exception. What to write if
// a part is wrong is in document-problems.ts.
import { z } from 'zod';
import { isDay } from '../../policy/policy.ts';
import { CHANNEL_ID, EVERY_CHANNEL, type Target } from '../../policy/target.ts';
import { RULE_TYPES, type SettingId, type Values } from '../../policy/values.ts';
import { MAX_OWNERS, OPERATIONS } from '../operations/operations.ts';

/** The version of the format. Registers had 1. */
export const SCHEMA = 2;

export const SETTINGS = Object.keys(OPERATIONS) as SettingId[];

const MAX_TEXT = 500;

export const line = z.string().refine((text) => text.trim() !== '' && text.length <= MAX_TEXT && !/\p{Cc}/u.test(text));

export const day = z.string().refine(isDay);

/** The keys that are on or off, and those that are a percentage or off, in policies and registers. */
const ON_OFF = new Set<string>([...RULE_TYPES, 'stop', 'stopAtLimit', 'stopWhenReached', 'webSearch', 'threadContext']);
const PERCENT = new Set(['noticeAt', 'alertAt']);

export function isBlock(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Versions of YAML read `on` and `off` as texts or as booleans. Both become the value of the policy. */
export function readOnOff(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => readOnOff(one));
  if (isBlock(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, readOnOff(part, name)]));
  }
  if (ON_OFF.has(key) && (value === 'on' || value === 'off')) return value === 'on';
  return PERCENT.has(key) && value === false ? 'off' : value;
}

const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => Date.parse(text));

const why = z
  .union([
    line.transform((reason) => ({ reason })),
    z.strictObject({
      reason: z.string().optional(),
      by: line.optional(),
      account: line.optional(),
      approvedBy: line.optional(),
      approverAccount: line.optional(),
      at: time.optional(),
    }),
  ])
  .optional();

type DocumentWhy = z.infer<typeof why>;

/** An entry as written. Who decided it is shown, but never imported. */
export type DocumentEntry = {
  setting: SettingId;
  target: Target;
  standing?: { value: Values[SettingId]; why: DocumentWhy } | undefined;
  exception?: { value: Values[SettingId]; why: DocumentWhy; until: string } | undefined;
};

/** `what`: what the exception is about. `until`: its last day. */
export function describeOver(what: string, until: string): string {
  return `${what}: the exception is over (${until}), so it is not set.`;
}

const every = z.literal(EVERY_CHANNEL);
const channel = z.string().regex(CHANNEL_ID);

/** The keys of the target. A pause is for a whole workspace. */
function toTargetShape(setting: SettingId): z.core.$ZodShape {
  const { targets, hasCurrency } = OPERATIONS[setting];
  if (targets.includes('class')) return { class: OPERATIONS.class.schema };
  if (targets.includes('channel'))
    return { workspace: line, channel: setting === 'pause' ? every : z.union([every, channel]) };
  const agent = targets.includes('environment') ? line.optional() : line;
  return { environment: line, ...(targets.includes('agent') && { agent }), ...(hasCurrency && { currency: line }) };
}

/** Reads the block of an entry for this setting. */
export function toEntrySchema(setting: SettingId): z.ZodType<DocumentEntry> {
  const value: z.ZodType = setting === 'owners' ? z.array(line).max(MAX_OWNERS) : OPERATIONS[setting].schema;
  const exception = z.strictObject({ [setting]: value, until: day, why });
  const shape = { ...toTargetShape(setting), [setting]: value.optional(), why, exception: exception.optional() };
  return z.strictObject(shape).transform((form) => toEntry(setting, form));
}

function toEntry(setting: SettingId, form: Record<string, unknown>): DocumentEntry {
  const stated = (one: Record<string, unknown>) => ({
    value: one[setting] as Values[SettingId],
    why: one.why as DocumentWhy,
  });
  const exception = form.exception as Record<string, unknown> | undefined;
  return {
    setting,
    target: toTarget(setting, form as Record<string, string>),
    ...(form[setting] !== undefined && { standing: stated(form) }),
    ...(exception && { exception: { ...stated(exception), until: String(exception.until) } }),
  };
}

function toTarget(setting: SettingId, form: Record<string, string | undefined>): Target {
  const { environment: environmentId = '', agent: agentId, currency, workspace = '', channel } = form;
  if (setting === 'standard') return { className: String(form.class) };
  if (channel !== undefined) return { workspace, channel };
  return { environmentId, ...(agentId !== undefined && { agentId }), ...(currency !== undefined && { currency }) };
}
