// `npm run doctor`: looks at configuration, store, Slack and services, beside a running app, and says what it finds. Ends
// with 1 where something does not work. Changes nothing.
import { loadConfig } from '../src/config.ts';
import { lookAtAll } from './doctor/examine.ts';
import { hasErrors, renderReport } from './doctor/report.ts';

// The thread that reads the register does not keep the process alive, and it may be the last to finish.
const keepAlive = setInterval(() => undefined, 60_000);
const sections = await lookAtAll(loadConfig);
clearInterval(keepAlive);
console.log(renderReport(sections));
process.exitCode = hasErrors(sections) ? 1 : 0;
