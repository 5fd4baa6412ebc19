import { AdminForbiddenError, AdminUnauthorizedError } from '../admin/admin-errors.ts';
import { toAdminFailure } from './admin-failure.ts';

/**
 * Of what the rest can do without, where it cannot be read. A sign-in that has ended, or a bug, is thrown on; with
 * `forbidden: 'throw'` a refusal, too: where it stands for the right to look at all.
 */
export async function orGap<T>(
  reading: Promise<T>,
  { forbidden = 'gap' }: { forbidden?: 'gap' | 'throw' } = {},
): Promise<T | 'gap'> {
  try {
    return await reading;
  } catch (error) {
    const isFatal =
      error instanceof AdminForbiddenError ? forbidden === 'throw' : error instanceof AdminUnauthorizedError;
    if (isFatal || toAdminFailure(error) === undefined) throw error;
    return 'gap';
  }
}
