import { z } from 'zod';
import type { Operation } from './operation.ts';

export const OWNERS: Operation<'owners'> = {
  id: 'owners',
  noun: 'owners',
  targets: ['environment', 'agent'],
  hasCurrency: false,
  schema: z.array(z.string().trim().min(1).max(320)).max(20),
  describe: (owners) => (owners.length === 0 ? 'nobody' : owners.join(', ')),
};
