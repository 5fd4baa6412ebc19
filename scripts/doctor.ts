import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config.ts';
import { lookAtAll } from '../src/doctor/examine.ts';
import { hasErrors, renderReport } from './doctor/report.ts';

const USAGE = `npm run doctor: looks at configuration, store, Slack and services, and says what it finds and what to do.
Changes nothing. Reads the same variables and the same .env as the app.

  npm run doctor                     beside the running app, on the same machine or in the same container
  npm run doctor -- --before-start   before the first start: an app that is not running is no error

Ends with 0, or with 1 if something does not work, also if the app is not running.`;

const options = { help: { type: 'boolean', short: 'h' }, 'before-start': { type: 'boolean' } } as const;
const { values, positionals } = parseArgs({ options, strict: false });
const isUnknown = positionals.length > 0 || Object.keys(values).some((name) => !(name in options));
if (values.help || isUnknown) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 1);
}

const sections = await lookAtAll(loadConfig, values['before-start'] ? 'before start' : 'running');
console.log(renderReport(sections));
process.exitCode = hasErrors(sections) ? 1 : 0;
