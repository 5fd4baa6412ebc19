import type { ChannelValues } from '../../../src/policy/channel-settings.ts';
import type { Entry } from '../../../src/policy/policy.ts';
import type { ChannelTarget } from '../../../src/policy/target.ts';
import { WHY } from '../policy-documents/policy-samples.ts';

export const ALL_OFF = { questions: 'refused', answers: 'private', webSearch: false, threadContext: false } as const;

/** Entries that set these values. */
export function toEntries(target: ChannelTarget, values: Partial<ChannelValues>): Entry[] {
  return Object.entries(values).map(([setting, value]) => ({
    ...{ setting: setting as keyof ChannelValues, target, standing: { value, why: WHY } },
  }));
}
