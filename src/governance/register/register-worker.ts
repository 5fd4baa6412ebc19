// The thread in which the text of a register is worked on: see do-aside.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { doRegisterWork, type RegisterWork } from './register-work.ts';

parentPort?.postMessage(doRegisterWork(workerData as RegisterWork));
