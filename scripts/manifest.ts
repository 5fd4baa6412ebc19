// `npm run --silent manifest -- https://bridge.example.com > manifest.json`: the Slack app manifest for that address.
import { buildManifest } from '../manifest/manifest.ts';

const publicUrl = process.argv[2]?.replace(/\/+$/, '');
if (!publicUrl || !/^https:\/\//.test(publicUrl)) {
  const example = 'npm run --silent manifest -- https://bridge.example.com';
  console.error(`Say under which https address Slack reaches the app: ${example}`);
  process.exit(1);
}
console.log(JSON.stringify(buildManifest({ publicUrl }), null, 2));
