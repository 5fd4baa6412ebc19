import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

/** Has the child killed when this process ends in whatever way it can notice: nobody is to be left running. */
export function endWithUs(child: ChildProcess): void {
  if (children.size === 0) process.once('exit', killAll);
  children.add(child);
  child.once('exit', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', killAll);
  });
}

function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
}
