// What is registered with the shell of administrators, called as Slack would call it.
import type { AdminCheck } from '../../src/governance/shell/access.ts';
import type { AdminShell, Answer, Options } from '../../src/governance/shell/admin-shell.ts';

type Work = (...args: never[]) => Promise<unknown>;

type Listener = { id: string | RegExp; work: Work; parse?(value: string): unknown; check?: AdminCheck };

export function aDesk() {
  const listeners: Listener[] = [];
  const shell = {
    onClick: (id: string | RegExp, work: Work, options: Pick<Listener, 'check'> = {}) =>
      void listeners.push({ ...options, id, work }),
    onModalButton: ({ actionId, ...button }: { actionId: string } & Omit<Listener, 'id' | 'work'>, work: Work) =>
      void listeners.push({ ...button, id: actionId, work }),
    onSubmission: ({ callbackId, check }: { callbackId: string } & Pick<Listener, 'check'>, work: Work) =>
      void listeners.push({ id: callbackId, work, ...(check && { check }) }),
    onSuggestion: ({ actionId }: { actionId: string }, work: Work) => void listeners.push({ id: actionId, work }),
  };
  const find = (name: string): Listener => {
    const found = listeners.find(({ id }) => (typeof id === 'string' ? id === name : id.test(name)));
    if (found === undefined) throw new Error(`nobody listens to ${name}`);
    return found;
  };
  return {
    shell: shell as unknown as AdminShell,
    checkOf: (actionId: string) => find(actionId).check,
    /** `opened`: what the shell hands on with a click or a window. */
    async press(actionId: string, value: string, opened: object): Promise<void> {
      const { work, parse } = find(actionId);
      const args = parse ? [parse(value), opened] : [{ ...opened, value }];
      await work(...(args as never[]));
    },
    suggest: (actionId: string, body: object, admin: object) =>
      find(actionId).work(...([body, admin] as never[])) as Promise<Options>,
    /** Resolves with what Slack gets, once all that comes afterwards is done. */
    async submit(callbackId: string, submission: object): Promise<Answer['answer']> {
      const { answer, afterwards } = (await find(callbackId).work(submission as never)) as Answer;
      await afterwards?.();
      return answer;
    },
  };
}
