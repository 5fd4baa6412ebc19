// The worker thread in which the app looks at itself: see examine-in-worker.ts.
import type { Config } from '../config.ts';
import { trustCertificates } from '../extra-certificates.ts';
import { serveWork } from '../run-in-worker.ts';
import { examine } from './examine.ts';

serveWork((config: Config) => {
  // Certificates that are not Node's own choice are trusted for each thread apart.
  if (config.NODE_EXTRA_CA_CERTS) trustCertificates(config.NODE_EXTRA_CA_CERTS);
  return examine(config);
});
