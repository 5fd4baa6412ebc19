// What an entry of the audit log says that was decided beside the register, in words.
import { z } from 'zod';
import type { SettingName, SettingValue } from '../../../../governance/register/register.ts';
import { toMrkdwnLine } from '../../shown-text.ts';
import { describeClassification, describeSetting, formatDay } from '../review/words.ts';

const exceptionSchema = z.object({
  accepts: z.array(
    z.object({ setting: z.string(), currency: z.string().optional(), value: z.union([z.string(), z.number()]) }),
  ),
  expiresOn: z.string(),
});

const classificationSchema = z.object({
  classification: z.enum(['maker-development', 'funded-production']),
  owners: z.array(z.string()).default([]),
});

const limitSchema = z.object({
  limit: z.object({
    monthlyLimit: z.union([z.number(), z.literal('none')]),
    alertAt: z.union([z.number(), z.literal('off')]).optional(),
    stopWhenReached: z.enum(['on', 'off']).optional(),
  }),
});

/** Line by line; undefined where it is no such decision. */
export function describeDecision(after: unknown): string[] | undefined {
  const exception = exceptionSchema.safeParse(after).data;
  if (exception) {
    const accepted = exception.accepts.map(({ setting, currency, value }) => toLine(setting, value, currency));
    return [...accepted, `Accepted until ${formatDay(exception.expiresOn)}.`];
  }
  const classified = classificationSchema.safeParse(after).data;
  if (classified) {
    const { classification, owners } = classified;
    const named = owners.map((owner) => toMrkdwnLine(owner, 60)).join(', ');
    return [`*${describeClassification(classification)}*${named === '' ? '' : `, owners: ${named}`}`];
  }
  const limited = limitSchema.safeParse(after).data;
  return limited && Object.entries(limited.limit).map(([setting, value]) => toLine(setting, value, undefined));
}

function toLine(setting: string, value: string | number, currency: string | undefined): string {
  return describeSetting(setting as SettingName, value as SettingValue, currency);
}
