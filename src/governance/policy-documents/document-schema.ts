// The form of an exported policy: what each entry is about, one setting, why, and perhaps an exception from it. What to
// write where a part is wrong is said by its key: see document-problems.ts.
import { z } from 'zod';
import { PAUSE } from '../operations/channel.ts';
import { CLASS_NAME } from '../operations/class.ts';
import { isDay } from '../policy/policy.ts';
import type { Target } from '../policy/target.ts';
import { REPLY_MODES, type SettingId, type Values } from '../policy/values.ts';
import { describeUnknownKey } from './document-problems.ts';

/** The form of the file: registers had 1. */
export const SCHEMA = 2;

/** A block that takes these keys and no others; for those it does not take, the message has one line each. */
export function block<Shape extends z.core.$ZodShape>(shape: Shape) {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => describeUnknownKey(key, keys)).join('\n')
        : undefined,
  });
}

const MAX_TEXT = 500;

export const line = z.string().refine((text) => text.trim() !== '' && text.length <= MAX_TEXT && !/\p{Cc}/u.test(text));

export const amount = z.number().min(0);

export const whole = z.int().min(0);

/** What YAML makes of `on` and `off` depends on its version: both readings are taken. */
export const onOff = z
  .union([z.boolean(), z.enum(['on', 'off'])])
  .transform((value) => value === true || value === 'on');

const off = z.union([z.literal(false), z.literal('off')]).transform(() => 'off' as const);

/** A percentage, or off. */
export const percent = z.union([z.number().min(0).max(100), off]);

export const day = z.string().refine(isDay);

/** A block of the four rules, each with the same kind of value. */
export function rules<Value extends z.ZodType>(value: Value) {
  const rule = value.optional();
  return block({ Alert: rule, TenantPool: rule, PayGo: rule, Deny: rule }).prefault({});
}

const limit = z.union([z.literal('none'), block({ credits: amount, noticeAt: percent, stopAtLimit: onOff })]);

const someCredits = block({ allocated: whole.optional(), rules: rules(onOff) });

const cap = z.union([z.literal('none'), whole]);

const className = z.string().regex(CLASS_NAME);

const VALUES = {
  standard: block({ limit: limit.optional(), credits: z.record(z.string(), someCredits).default({}) }),
  class: className,
  owners: z.array(line),
  credits: someCredits,
  limit,
  stop: onOff,
  questions: z.enum(['allowed', 'refused']),
  answers: z.enum(['thread', 'private']),
  webSearch: onOff,
  threadContext: onOff,
  reply: z.enum(REPLY_MODES),
  personCap: cap,
  channelCap: cap,
  pause: PAUSE.schema,
} satisfies { [Setting in SettingId]: z.ZodType<Values[Setting]> };

export const SETTINGS = Object.keys(VALUES) as SettingId[];

const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => Date.parse(text));

const why = z
  .union([
    line.transform((reason) => ({ reason })),
    block({
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

/** As written: who decided is shown, and never taken over. */
export type DocumentEntry = {
  setting: SettingId;
  target: Target;
  standing?: { value: Values[SettingId]; why: DocumentWhy } | undefined;
  exception?: { value: Values[SettingId]; why: DocumentWhy; until: string } | undefined;
};

const ofAny = { environment: line, agent: line.optional() };
const ofChannel = { workspace: line, channel: line };

const TARGETS: Record<SettingId, z.core.$ZodShape> = {
  standard: { class: className },
  class: { environment: line },
  owners: ofAny,
  credits: { environment: line, currency: line },
  limit: { environment: line, agent: line, currency: line },
  stop: ofAny,
  questions: ofChannel,
  answers: ofChannel,
  webSearch: ofChannel,
  threadContext: ofChannel,
  reply: ofChannel,
  personCap: ofChannel,
  channelCap: ofChannel,
  pause: ofChannel,
};

/** The block of an entry of this setting, as what it says. */
export function toEntrySchema(setting: SettingId): z.ZodType<DocumentEntry> {
  const value: z.ZodType = VALUES[setting];
  const exception = block({ [setting]: value, until: day, why });
  const shape = { ...TARGETS[setting], [setting]: value.optional(), why, exception: exception.optional() };
  return block(shape).transform((form) => toEntry(setting, form));
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
