// Loaded before a program: ends it, as SIGTERM does, once the process that started it is gone, even killed. Without it
// the app would keep its port and its database after `npm start` was killed.
import { isMainThread } from 'node:worker_threads';

const LOOK_MS = 500;

if (isMainThread) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  watch.unref();
}
