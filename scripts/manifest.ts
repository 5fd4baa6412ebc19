// `npm run --silent manifest -- https://bridge.example.com > manifest.json`: the Slack app manifest for that address. With
// `--socket` it is for Socket Mode, with `--slackbot` for SLACKBOT_DOOR. Without an address, it uses PUBLIC_URL from the
// environment or from `.env`.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildManifest, type ManifestOptions } from '../manifest/manifest.ts';

const USAGE = 'npm run --silent manifest -- [--socket] [--slackbot] https://bridge.example.com';

const OPTIONS = { socket: { type: 'boolean' }, slackbot: { type: 'boolean' } } as const;

function readArguments(): ManifestOptions | undefined {
  try {
    const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
    const [address = readAddress(), ...rest] = positionals;
    if (rest.length > 0 || !/^https:\/\//.test(address)) return undefined;
    return {
      publicUrl: address.replace(/\/+$/, ''),
      isSocketMode: values.socket === true,
      hasSlackbotDoor: values.slackbot === true,
    };
  } catch {
    return undefined;
  }
}

/** `slack run` gives no address: see .slack/hooks.json. */
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
