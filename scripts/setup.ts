// `npm run setup`: from nothing to a configuration that works.
import { VARIABLES } from '../src/config-variables.ts';
import { UserError } from '../src/errors.ts';
import { runCommand } from './run-command.ts';
import { openEnvDraft } from './setup/env-draft.ts';
import { runSetup } from './setup/run-setup.ts';
import { InputEndedError, openTerminal } from './setup/terminal.ts';

const WHAT_IS_NEXT = [
  'Next: npm start. Then open Event Subscriptions in the settings of the Slack app, press Retry if the',
  'Request URL is not verified (not with Socket Mode), and run npm run doctor: it says whether Slack’s requests arrive.',
];

await runCommand({
  usage: `npm run setup: asks for each value that the app needs, says where to find it, and checks it at once.
Writes .env, which only you may read, and manifest.json, which the Slack app is made from. Each answer is kept as soon as
it is entered: run it again to go on where you stopped.

  npm run setup                      all that is missing or wrong
  npm run setup -- SLACK_BOT_TOKEN   asks again for the variables that you name

Ends with 0 when the doctor finds no error.`,
  allowPositionals: true,
  failed(code, cause) {
    if (cause instanceof InputEndedError)
      return '\nStopped. Your answers are in .env; npm run setup goes on from there.';
    // Without a code of the system it is a bug, which is found by its stack.
    const said = cause instanceof Error ? (code === 'no code' ? cause.stack : cause.message) : String(cause);
    return `\nThe set-up failed: ${said}`;
  },
  async run(_, names) {
    const unknown = names.find((name) => !(name in VARIABLES));
    if (unknown !== undefined) throw new UserError('no_variable', `${unknown} is no variable of this app.`);
    const terminal = openTerminal();
    try {
      const draft = openEnvDraft('.env', process.env);
      const isRight = await runSetup({ draft, terminal, again: new Set(names) });
      terminal.say(
        '',
        ...(isRight ? WHAT_IS_NEXT : ['What is marked ✗ does not work yet. Mend it, and run npm run setup again.']),
      );
      return isRight ? 0 : 1;
    } finally {
      terminal.close();
    }
  },
});
