// An entry of an exported policy: what it is about, one setting, why, and perhaps an exception from it.
import { z } from 'zod';
import { CLASS_NAME } from '../operations/class.ts';
import type { Target } from '../policy/target.ts';
import { REPLY_MODES, type SettingId, type Values } from '../policy/values.ts';
import { amount, block, credits, day, line, OWNER, onOff, percent, rules } from './document-values.ts';

const LIMIT = 'Write limit: none, or limit: { credits: 2000, noticeAt: 80, stopAtLimit: off }.';
const limit = z.union(
  [
    z.literal('none'),
    block(
      {
        credits: amount('Write credits: and a number, 0 or more, without separators.'),
        noticeAt: percent('Write noticeAt: and a percentage from 0 to 100, or noticeAt: off.'),
        stopAtLimit: onOff('Write stopAtLimit: on, or stopAtLimit: off.'),
      },
      LIMIT,
    ),
  ],
  { error: LIMIT },
);

const CREDITS = 'Write credits: { allocated: 5000, rules: { Deny: on } }; what is left out is not governed.';
const someCredits = block(
  {
    allocated: credits('Write allocated: and a whole number of credits, 0 or more, without separators.').optional(),
    rules: rules(onOff, 'on or off').default({}),
  },
  CREDITS,
);

const STANDARD = 'Write standard: { limit: …, credits: { ServiceMessages: … } }; what is left out is not governed.';
const CLASS = 'Write the name of a class: letters, digits, - and _, beginning with a letter.';
const className = z.string({ error: CLASS }).regex(CLASS_NAME, { error: CLASS });

const CAP = 'and a whole number of questions a day, or none.';
const cap = (name: string) =>
  z.union([z.literal('none'), credits(`Write ${name}: ${CAP}`)], { error: `Write ${name}: ${CAP}` });

const VALUES = {
  standard: block({ limit: limit.optional(), credits: z.record(z.string(), someCredits).default({}) }, STANDARD),
  class: className,
  owners: z.array(line(OWNER), { error: 'Write owners as a list, as in [ana@example.com, ben@example.com].' }),
  credits: someCredits,
  limit,
  stop: onOff('Write stop: on, or stop: off.'),
  reply: z.enum(REPLY_MODES, { error: `Write reply: and one of ${REPLY_MODES.join(', ')}.` }),
  personCap: cap('personCap'),
  channelCap: cap('channelCap'),
} satisfies { [Setting in SettingId]: z.ZodType<Values[Setting]> };

export const SETTINGS = Object.keys(VALUES) as SettingId[];

const WHY = 'Write why: and a reason, on one line; or why: with reason:, and by: and at: as they were exported.';
const id = (of: string) => line(`Write the id of the ${of}, in quotes where it consists of digits.`);
const AT = 'Write at: and a time, as in 2026-11-24T18:00:00.000Z.';
const why = z
  .union(
    [
      line(WHY).transform((reason) => ({ reason })),
      block(
        {
          reason: z.string({ error: WHY }).optional(),
          by: id('person').optional(),
          account: id('account').optional(),
          approvedBy: id('person').optional(),
          approverAccount: id('account').optional(),
          at: z
            .string({ error: AT })
            .refine((text) => !Number.isNaN(Date.parse(text)), { error: AT })
            .transform((text) => Date.parse(text))
            .optional(),
        },
        WHY,
      ),
    ],
    { error: WHY },
  )
  .optional();

type DocumentWhy = z.infer<typeof why>;

/** As written: who decided is shown, and never taken over. */
export type DocumentEntry = {
  setting: SettingId;
  target: Target;
  standing?: { value: Values[SettingId]; why: DocumentWhy } | undefined;
  exception?: { value: Values[SettingId]; why: DocumentWhy; until: string } | undefined;
};

const environment = id('environment');
const agent = id('agent');
const currency = line('Write currency: and the name of the credits, for example ServiceMessages.');
const channel = { team: id('team'), channel: line('Write the id of the channel, or "*" for all channels.') };
const ofAny = { environment, agent: agent.optional() };

const TARGETS: Record<SettingId, z.core.$ZodShape> = {
  standard: { class: className },
  class: { environment },
  owners: ofAny,
  credits: { environment, currency },
  limit: { environment, agent, currency },
  stop: ofAny,
  reply: channel,
  personCap: channel,
  channelCap: channel,
};

const ENTRY = 'Write each entry as a block that starts with "- ".';

function toEntrySchema(setting: SettingId) {
  const value = VALUES[setting];
  const until = day('Write until: and the last day on which it holds, as in 2026-12-31.');
  const exception = block({ [setting]: value, until, why }, `Write under exception: ${setting}, until and why.`);
  const shape = { ...TARGETS[setting], [setting]: value.optional(), why, exception: exception.optional() };
  return block(shape, ENTRY) as unknown as z.ZodType<Record<string, unknown>>;
}

/** Of each setting: the block that its entries are. */
export const ENTRIES = Object.fromEntries(SETTINGS.map((setting) => [setting, toEntrySchema(setting)])) as Record<
  SettingId,
  z.ZodType<Record<string, unknown>>
>;

/** What the block of an entry says. `form`: as its schema made it. */
export function toEntry(setting: SettingId, form: Record<string, unknown>): DocumentEntry {
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
  const { environment: environmentId = '', agent: agentId, currency: name, team = '', channel: place } = form;
  if (setting === 'standard') return { className: String(form.class) };
  if (place !== undefined) return { team, channel: place };
  return { environmentId, ...(agentId !== undefined && { agentId }), ...(name !== undefined && { currency: name }) };
}
