// `npm run manifest -- https://bridge.example.com`: the Slack app manifest for that address, as JSON.
import { buildManifest } from '../manifest/manifest.ts';

const publicUrl = process.argv[2]?.replace(/\/+$/, '');
if (!publicUrl || !/^https:\/\//.test(publicUrl)) {
  console.error('Say under which https address Slack reaches the app: npm run manifest -- https://bridge.example.com');
  process.exit(1);
}
console.log(JSON.stringify(buildManifest({ publicUrl }), null, 2));
