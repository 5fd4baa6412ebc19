// The thread in which the text of a register is worked on: see do-aside.ts.
import { serveWork } from '../../run-in-worker.ts';
import { doRegisterWork } from './register-work.ts';

serveWork(doRegisterWork);
