import { z } from 'zod';
import { standardSchema } from '../policy/values.ts';
import { CREDITS } from './credits.ts';
import { LIMIT } from './limit.ts';
import type { Operation } from './operation.ts';

/** Letters, digits, `-` and `_`: class names are typed in commands. */
const CLASS_NAME = /^[a-z][\w-]{0,39}$/i;

export const CLASS: Operation<'class'> = {
  id: 'class',
  noun: 'class',
  targets: ['environment'],
  hasCurrency: false,
  schema: z.string().regex(CLASS_NAME, 'a class name: letters, digits, - and _'),
  describe: (name) => name,
};

export const STANDARD: Operation<'standard'> = {
  id: 'standard',
  noun: 'standard',
  targets: ['class'],
  hasCurrency: false,
  schema: standardSchema,
  describe({ limit, credits }) {
    const ofCredits = Object.entries(credits).map(([currency, one]) => `${currency}: ${CREDITS.describe(one)}`);
    const ofAgents = limit === undefined ? 'no default limit' : `each agent: ${LIMIT.describe(limit)}`;
    return [ofAgents, ...ofCredits].join('; ');
  },
};
