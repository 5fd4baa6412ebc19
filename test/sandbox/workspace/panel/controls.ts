// What somebody at the panel can do to the services and the app. The page draws a button for each entry.
import { plantDrift } from '../../admin/plant-drift.ts';
import { ACCOUNTS, type Sandbox } from '../../sandbox.ts';

/** The app as a process that can be ended and started again, on the same store. */
export type AppControl = {
  readonly state: 'running' | 'starting' | 'stopped';
  readonly pid: number | undefined;
  /** Ends it at once, as SIGKILL does. */
  kill(): Promise<void>;
  /** Resolves once it listens. */
  start(): Promise<void>;
};

export type Control = {
  readonly id: string;
  readonly group: 'App' | 'Assistant service' | 'Administration';
  readonly label: string;
  /** What happens, and how one sees it. */
  readonly hint: string;
  /** Of what stays as it is until it is pressed again. */
  readonly isOn?: () => boolean;
  readonly isDisabled?: () => boolean;
  /** Returns a sentence for the person. */
  readonly press: () => Promise<string> | string;
};

const SLOW_MS = 8_000;
const THROTTLED_S = 10;
const REFUSED = ACCOUNTS.U0BEN;

/** Without an app, there is nothing to kill or to start. */
export function createControls(world: Sandbox, app?: AppControl): Control[] {
  return [...(app ? createAppControls(world, app) : []), ...createServiceControls(world), createDriftControl(world)];
}

function createServiceControls({ assistant }: Sandbox): Control[] {
  let endSlow: (() => void) | undefined;
  const group = 'Assistant service';
  let armed: string | undefined;
  /** For the next question, unless it is pressed again before that. */
  const arm = (fault: '429-seconds' | '500', told: string): Pick<Control, 'isOn' | 'press'> => {
    const isOn = () => assistant.faults.pending > 0 && armed === fault;
    const press = () => {
      const wasOn = isOn();
      assistant.faults.clear();
      if (wasOn) return 'The next question is answered as usual.';
      armed = fault;
      assistant.faults.next(fault, { retryAfterS: THROTTLED_S });
      return told;
    };
    return { isOn, press };
  };
  return [
    {
      ...{ id: 'slow', group, label: 'Slow answers' },
      hint: `Every answer takes ${SLOW_MS / 1000} seconds longer: time to press Stop, or to kill the app.`,
      isOn: () => endSlow !== undefined,
      press() {
        if (endSlow) {
          endSlow();
          endSlow = undefined;
          return 'The service answers at its own pace again.';
        }
        endSlow = assistant.onChat(() => new Promise((resolve) => setTimeout(resolve, SLOW_MS)));
        return `From now on every answer takes ${SLOW_MS / 1000} seconds longer.`;
      },
    },
    {
      ...{ id: 'throttle', group, label: 'Throttle the next' },
      hint: `The service answers 429 with Retry-After ${THROTTLED_S}: the app waits, and asks again.`,
      ...arm('429-seconds', `The next question is answered with 429, Retry-After ${THROTTLED_S}.`),
    },
    {
      ...{ id: 'fail', group, label: 'Fail the next' },
      hint: 'The service answers 500 after it took the question: the app does not ask again by itself.',
      ...arm('500', 'The next question is answered with 500.'),
    },
    {
      ...{ id: 'refuse', group, label: 'Refuse Ben' },
      hint: 'Ben has no licence for the assistant any more; everybody else has.',
      isOn: () => assistant.access.unlicensed.has(REFUSED),
      press() {
        if (assistant.access.unlicensed.delete(REFUSED)) return 'Ben may ask again.';
        assistant.access.unlicensed.set(REFUSED, '403-licence');
        return 'The service refuses Ben from now on.';
      },
    },
    {
      ...{ id: 'forget', group, label: 'Forget the last chat' },
      hint: 'The service no longer knows the one that was asked last: go on in its thread, and the app begins a new one.',
      press() {
        const latest = assistant.ledger.chats().findLast((chat) => chat.isProcessed)?.conversation;
        const conversation = latest && assistant.conversations.get(latest);
        if (!conversation) return 'There is no conversation yet: ask something first.';
        conversation.goneWith = 404;
        return `The service forgot “${conversation.displayName}”.`;
      },
    },
  ];
}

function createDriftControl(world: Sandbox): Control {
  return {
    ...{ id: 'drift', group: 'Administration', label: 'Plant drift' },
    hint: 'Somebody changes allocations in a console, past the app. Then give /assistant-admin review as Kim.',
    press: () => plantDrift(world).join(' '),
  };
}

function createAppControls({ assistant }: Sandbox, app: AppControl): Control[] {
  let disarm: (() => void) | undefined;
  const group = 'App';
  const isRunning = () => app.state === 'running';
  return [
    {
      ...{ id: 'kill', group, label: 'Kill the app' },
      hint: 'SIGKILL, whatever it is doing. Slack sends what people write again after one minute, and after five.',
      isDisabled: () => !isRunning(),
      async press() {
        await app.kill();
        return 'The app was killed.';
      },
    },
    {
      ...{ id: 'kill-answering', group, label: 'Kill amid an answer' },
      hint: 'SIGKILL at the moment when the service has answered, and the app does not know it yet.',
      isOn: () => disarm !== undefined,
      isDisabled: () => !isRunning(),
      press() {
        if (disarm) {
          disarm();
          disarm = undefined;
          return 'The app is left alone.';
        }
        disarm = assistant.onAnswered(async () => {
          disarm?.();
          disarm = undefined;
          if (isRunning()) await app.kill();
        });
        return 'The app is killed as soon as the service has answered the next question.';
      },
    },
    {
      ...{ id: 'start', group, label: 'Start the app' },
      hint: 'On the same store: it finishes what it had begun.',
      isDisabled: () => app.state !== 'stopped',
      async press() {
        await app.start();
        return 'The app runs again.';
      },
    },
  ];
}
