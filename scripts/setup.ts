// `npm run setup`: from nothing to a configuration that works.
import { parseArgs } from 'node:util';
import { ConfigError } from '../src/config.ts';
import { VARIABLES } from '../src/config-variables.ts';
import { readOrExit } from './read-options.ts';
import { openEnvDraft } from './setup/env-draft.ts';
import { runSetup } from './setup/run-setup.ts';
import { InputEndedError, openTerminal } from './setup/terminal.ts';

const USAGE = `npm run setup: asks for each value that the app needs, says where to find it, and checks it at once.
Writes .env, which only you may read, and manifest.json, which the Slack app is made from. Each answer is kept as soon as
it is entered: run it again to go on where you stopped.

  npm run setup                      all that is missing or wrong
  npm run setup -- SLACK_BOT_TOKEN   asks again for the variables that you name

Ends with 0 when the doctor finds no error.`;

const names = readOrExit(readNames, USAGE);
const terminal = openTerminal();
try {
  const draft = openEnvDraft('.env', process.env);
  const isRight = await runSetup({ draft, terminal, again: new Set(names) });
  if (isRight) {
    terminal.say(
      '',
      'Next: npm start. Then open Event Subscriptions in the settings of the Slack app, press Retry if the',
    );
    terminal.say(
      'Request URL is not verified (not with Socket Mode), and run npm run doctor: it sees Slack’s requests arrive.',
    );
  } else {
    terminal.say('', 'What is marked ✗ does not work yet. Mend it, and run npm run setup again.');
  }
  process.exitCode = isRight ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  if (error instanceof InputEndedError) {
    terminal.say('', 'Stopped. Your answers are in .env; npm run setup goes on from there.');
  } else if (error instanceof ConfigError || (error instanceof Error && error.constructor === Error)) {
    terminal.say('', ...error.message.split('\n'));
  } else {
    throw error;
  }
} finally {
  terminal.close();
}

function readNames(args: string[]): string[] {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const unknown = positionals.find((name) => !(name in VARIABLES));
  if (unknown !== undefined) throw new Error(`${unknown} is no variable of this app.`);
  return positionals;
}
