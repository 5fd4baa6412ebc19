import { isAdminRefusal } from '../admin-api/admin-errors.ts';
import { toAdminFailure } from './shell/admin-failure.ts';

/** Of what the rest can do without, where it cannot be read. A sign-in that has ended, or a bug, is thrown on. */
export async function orGap<T>(reading: Promise<T>): Promise<T | 'gap'> {
  try {
    return await reading;
  } catch (error) {
    if (isAdminRefusal(error, 'admin_unauthorized') || toAdminFailure(error) === undefined) throw error;
    return 'gap';
  }
}
