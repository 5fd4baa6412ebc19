import { type Cap, capSchema } from '../policy/values.ts';
import { formatCredits } from '../shell/whole-number.ts';
import type { Operation } from './operation.ts';

const describe = (cap: Cap) => (cap === 'none' ? 'no cap' : `${formatCredits(cap)} a day`);

const CAP = { targets: ['channel'], hasCurrency: false, schema: capSchema, describe } as const;

export const PERSON_CAP: Operation<'personCap'> = { ...CAP, id: 'personCap', noun: 'questions of one person' };

export const CHANNEL_CAP: Operation<'channelCap'> = { ...CAP, id: 'channelCap', noun: 'questions in a channel' };
