import { loadSome } from '../../src/config.ts';
import { NO_DATABASE, openReader } from '../../src/doctor/store-reader.ts';
import { UserError } from '../../src/errors.ts';
import { writeDocument } from '../../src/governance/policy-documents/write-document.ts';

/** Beside a running app. */
export async function exportPolicy(): Promise<number> {
  const store = await openReader(loadSome(['REDIS_URL', 'SQLITE_PATH']));
  if (!store) throw new UserError('no_store', NO_DATABASE);
  try {
    const { policy } = await store.policy.read();
    process.stdout.write(writeDocument(policy));
    return 0;
  } finally {
    await store.close();
  }
}
