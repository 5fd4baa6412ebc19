import type { Turn } from '../conversation/turn.ts';

/** Given up: an operator should look at it. `failed`: the person was told; `abandoned`: not even that worked. */
export function isDead({ stage, result }: Pick<Turn, 'stage' | 'result'>): boolean {
  return stage === 'done' && (result === 'failed' || result === 'abandoned');
}
