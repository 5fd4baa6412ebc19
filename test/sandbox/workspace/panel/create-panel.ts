import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonRequest, parseJson, type Reply, readRequestText, sendReply } from '../../loopback/reply.ts';
import type { Sandbox } from '../../sandbox.ts';
import { type AppControl, type Control, createControls } from './controls.ts';
import { type Exchange, listTraffic, readBodies } from './read-traffic.ts';

export type PanelState = {
  /** Undefined where it is not started from here. */
  readonly app: Pick<AppControl, 'state' | 'pid'> | undefined;
  readonly controls: readonly (Pick<Control, 'id' | 'group' | 'label' | 'hint'> & {
    /** Missing on what is done once each time. */
    readonly isOn: boolean | undefined;
    readonly isDisabled: boolean;
  })[];
  readonly traffic: readonly Exchange[];
};

export type Panel = ReturnType<typeof createPanel>;

const ROOT = '/panel/';
const MOST_EXCHANGES = 200;

/**
 * The control panel of a world, and of the app in it where that is started from here: `GET /panel/state`, `GET /panel/exchanges/<id>` with the bodies of one
 * exchange, `POST /panel/press` with `{ control }`, which answers `{ told }`.
 */
export function createPanel(world: Sandbox, app?: AppControl) {
  const controls = createControls(world, app);

  async function answer(request: IncomingMessage, path: string): Promise<Reply> {
    if (request.method === 'POST' && path === 'press') return press(controls, request);
    if (request.method !== 'GET') return { status: 405, body: { error: 'The panel knows no such request.' } };
    if (path === 'state') return { status: 200, body: readState(world, app, controls) };
    const bodies = path.startsWith('exchanges/') ? readBodies(world, path.slice('exchanges/'.length)) : undefined;
    return bodies ? { status: 200, body: bodies } : { status: 404, body: { error: 'There is no such exchange.' } };
  }

  return {
    /** Answers what is asked under `/panel/`. Hosts are checked by the server. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { pathname } = new URL(request.url ?? '/', 'http://loopback');
      sendReply(response, await answer(request, pathname.slice(ROOT.length)));
    },
  };
}

function readState(world: Sandbox, app: AppControl | undefined, controls: readonly Control[]): PanelState {
  return {
    app: app && { state: app.state, pid: app.pid },
    controls: controls.map(({ id, group, label, hint, isOn, isDisabled }) => ({
      ...{ id, group, label, hint },
      isOn: isOn?.(),
      isDisabled: isDisabled?.() ?? false,
    })),
    traffic: listTraffic(world, MOST_EXCHANGES),
  };
}

/** JSON only: no page of another site can send that without being asked first. */
async function press(controls: readonly Control[], request: IncomingMessage): Promise<Reply> {
  const parsed = isJsonRequest(request) ? parseJson((await readRequestText(request)) ?? '') : undefined;
  const body = parsed?.ok ? (parsed.value as { control?: unknown } | null) : undefined;
  const control = controls.find(({ id }) => id === body?.control);
  if (!control) return { status: 400, body: { error: 'The panel has no such control.' } };
  if (control.isDisabled?.()) return { status: 409, body: { error: `“${control.label}” is not possible right now.` } };
  try {
    return { status: 200, body: { told: await control.press() } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { status: 500, body: { error: `“${control.label}” failed: ${reason}` } };
  }
}
