// `npm run --silent manifest -- https://bridge.example.com > manifest.json`: the Slack app manifest for that address. With
// `--socket` the one for Socket Mode. Without an address that of PUBLIC_URL, in the environment or in `.env`.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildManifest } from '../manifest/manifest.ts';

const USAGE = 'npm run --silent manifest -- [--socket] https://bridge.example.com';

function readArguments(): { publicUrl: string; isSocketMode: boolean } | undefined {
  try {
    const { values, positionals } = parseArgs({ options: { socket: { type: 'boolean' } }, allowPositionals: true });
    const [address = readAddress(), ...rest] = positionals;
    if (rest.length > 0 || !/^https:\/\//.test(address)) return undefined;
    return { publicUrl: address.replace(/\/+$/, ''), isSocketMode: values.socket === true };
  } catch {
    return undefined;
  }
}

/** `slack run` names none: see .slack/hooks.json. */
function readAddress(): string {
  if (existsSync('.env')) process.loadEnvFile();
  return process.env.PUBLIC_URL ?? '';
}

const given = readArguments();
if (!given) {
  console.error(`Say under which https address browsers, and without Socket Mode Slack, reach the app: ${USAGE}`);
  process.exit(1);
}
console.log(JSON.stringify(buildManifest(given), null, 2));
