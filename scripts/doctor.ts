import { loadConfig } from '../src/config.ts';
import { lookAtAll } from '../src/doctor/examine.ts';
import { hasErrors, renderReport } from './doctor/report.ts';
import { runCommand } from './run-command.ts';

await runCommand({
  usage: `npm run doctor: checks configuration, store, Slack and services, and says what it finds and what to do.
Changes nothing. Reads the same variables and the same .env as the app.

  npm run doctor                     beside the running app, on the same machine or in the same container
  npm run doctor -- --before-start   before the first start: an app that is not running is no error

Ends with 0, or with 1 if something does not work, also if the app is not running.`,
  options: { 'before-start': { type: 'boolean' } },
  failed: (_, cause) => `The doctor could not run: ${cause instanceof Error ? cause.message : String(cause)}`,
  async run({ 'before-start': isBefore }) {
    const sections = await lookAtAll(loadConfig, isBefore ? 'before start' : 'running');
    console.log(renderReport(sections));
    return hasErrors(sections) ? 1 : 0;
  },
});
