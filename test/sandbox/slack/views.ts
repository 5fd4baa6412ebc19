/** The modals that people have open, and their home tabs. */
import type { Json, View } from './records.ts';
import type { Signal } from './signal.ts';
import type { World } from './world.ts';

export type Views = {
  /** The person's stack of modals, the visible one last. */
  stackOf(userId: string): View[];
  setStack(userId: string, stack: View[]): void;
  home(userId: string): View | undefined;
  setHome(userId: string, view: View): void;
  byId(id: string): View | undefined;
  byExternalId(id: string): View | undefined;
};

export function createViews(changed: Signal): Views {
  const stacks = new Map<string, View[]>();
  const homes = new Map<string, View>();
  const all = () => [...[...stacks.values()].flat(), ...homes.values()];
  return {
    stackOf: (userId) => stacks.get(userId) ?? [],
    setStack(userId, stack) {
      stacks.set(userId, stack);
      changed.notify();
    },
    home: (userId) => homes.get(userId),
    setHome(userId, view) {
      homes.set(userId, view);
      changed.notify();
    },
    byId: (id) => all().find((view) => view.id === id),
    byExternalId: (id) => all().find((view) => view.externalId === id),
  };
}

/** Slack's form of a view, as methods answer it and interactions carry it. */
export function toSlackView(view: View, { workspace, install }: Pick<World, 'workspace' | 'install'>): Json {
  const { app } = workspace;
  return {
    id: view.id,
    team_id: app.teamId,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.privateMetadata,
    callback_id: view.callbackId,
    state: { values: view.entered },
    hash: view.hash,
    title: view.title ?? { type: 'plain_text', text: 'View Title' },
    clear_on_close: view.clearOnClose,
    notify_on_close: view.notifyOnClose,
    close: view.close ?? null,
    submit: view.submit ?? null,
    previous_view_id: view.previousViewId,
    root_view_id: view.rootViewId,
    app_id: app.appId,
    external_id: view.externalId,
    app_installed_team_id: install()?.id ?? app.teamId,
    bot_id: app.botId,
  };
}
