import { auditScripts } from './redis-audit.ts';
import { bucketScripts } from './redis-buckets.ts';
import { changeScripts, overlayScripts, reviewScripts } from './redis-governance.ts';
import { installationScripts, linkScripts } from './redis-links.ts';
import { lockScripts } from './redis-lock.ts';
import { retentionScripts } from './redis-retention.ts';
import { schemaScripts } from './redis-schema.ts';
import { threadScripts } from './redis-threads.ts';
import { turnScripts } from './turn-scripts.ts';

/** All that the shared client can run: node-redis wants to know it when the client is made. */
export const scripts = {
  ...turnScripts,
  ...threadScripts,
  ...linkScripts,
  ...changeScripts,
  ...auditScripts,
  ...overlayScripts,
  ...reviewScripts,
  ...installationScripts,
  ...retentionScripts,
  ...schemaScripts,
  ...lockScripts,
  ...bucketScripts,
};
