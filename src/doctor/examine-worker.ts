// The worker thread of the doctor inside the app: see examine-in-worker.ts.
import type { Config } from '../config.ts';
import { trustCertificates } from '../extra-certificates.ts';
import { serveWork } from '../run-in-worker.ts';
import { examine } from './examine.ts';

serveWork((config: Config) => {
  // Each thread has to trust extra certificates itself.
  if (config.NODE_EXTRA_CA_CERTS) trustCertificates(config.NODE_EXTRA_CA_CERTS);
  return examine(config);
});
