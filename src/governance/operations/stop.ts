import { z } from 'zod';
import type { Operation } from './operation.ts';

export const STOP: Operation<'stop'> = {
  id: 'stop',
  noun: 'stop',
  targets: ['agent', 'environment'],
  hasCurrency: false,
  schema: z.boolean(),
  describe: (isStopped) => (isStopped ? 'stopped' : 'runs'),
};
