// The values that the policy approves. Each setting is an operation of its own: see operations/.
import { z } from 'zod';

/** The rules that the contract names. */
export const RULE_TYPES = ['Alert', 'TenantPool', 'PayGo', 'Deny'] as const;

export type RuleType = (typeof RULE_TYPES)[number];

/** `none`: no monthly limit. `noticeAt`: percent of the limit at which administrators get a notice. */
export const limitSchema = z.union([
  z.literal('none'),
  z
    .strictObject({
      credits: z.number().nonnegative(),
      noticeAt: z.union([z.number().min(0).max(100), z.literal('off')]),
      stopAtLimit: z.boolean(),
    })
    // The service has no other way to say that there is no limit: it would differ from itself for ever.
    .transform((limit) => {
      const capsNothing = limit.credits === 0 && limit.noticeAt === 'off' && !limit.stopAtLimit;
      return capsNothing ? ('none' as const) : limit;
    }),
]);

export type Limit = z.infer<typeof limitSchema>;

/** What is left out is not governed. */
export const creditsSchema = z.strictObject({
  allocated: z.int().nonnegative().optional(),
  rules: z.partialRecord(z.enum(RULE_TYPES), z.boolean()).default({}),
});

export type Credits = z.infer<typeof creditsSchema>;

/** The values of a class, unless an entry says otherwise. `credits`: by currency. What is left out is not governed. */
export const standardSchema = z.strictObject({
  limit: limitSchema.optional(),
  credits: z.record(z.string(), creditsSchema).default({}),
});

export type Standard = z.infer<typeof standardSchema>;

/** When the app answers in a channel: only when mentioned, also in threads that it is in, or to every root message. */
export const REPLY_MODES = ['mentions', 'threads', 'all'] as const;

/** Questions a day, or no cap. */
export const capSchema = z.union([z.literal('none'), z.int().nonnegative()]);

export type Cap = z.infer<typeof capSchema>;

/** The value of each setting. Stored: never rename. */
export type Values = {
  /** Of a class. */
  standard: Standard;
  /** The name of an environment's class. */
  class: string;
  /** Of an environment or agent: e-mail addresses, ids in the directory, or Slack user ids. */
  owners: string[];
  /** Of an environment, for each currency. */
  credits: Credits;
  /** Of an agent, for each currency. */
  limit: Limit;
  /** Of an agent, or of all agents of an environment: whether it is stopped. */
  stop: boolean;
  // Of a channel, or of all channels of a workspace.
  /** Direct messages are always allowed. */
  questions: 'allowed' | 'refused';
  /** `thread`: unless the asker chose private answers. */
  answers: 'thread' | 'private';
  /** On: unless the asker turns it off. */
  webSearch: boolean;
  /** Whether earlier messages of a thread are quoted with a question. */
  threadContext: boolean;
  reply: (typeof REPLY_MODES)[number];
  /** What one person may ask there in a day. */
  personCap: Cap;
  /** What all people together may ask there in a day. */
  channelCap: Cap;
  /** No question is answered. `word`: the message to people who ask, or ''. */
  pause: { word: string };
};

export type SettingId = keyof Values;
