// Loaded before a program: sends it SIGTERM when its parent process is gone, even if that was killed. Without it the app
// would keep its port and its database after `npm start` was killed.
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
