/** The modals that people have open, and their home tabs. */
import type { Json, View } from './records.ts';
import type { Signal } from './signal.ts';
import type { World } from './world.ts';

export type Views = ReturnType<typeof createViews>;

export function createViews(changed: Signal) {
  const stacks = new Map<string, View[]>();
  const homes = new Map<string, View>();
  const all = () => [...[...stacks.values()].flat(), ...homes.values()];
  return {
    /** The person's stack of modals, the visible one last. */
    stackOf: (userId: string) => stacks.get(userId) ?? [],
    setStack(userId: string, stack: View[]): void {
      stacks.set(userId, stack);
      changed.notify();
    },
    home: (userId: string) => homes.get(userId),
    setHome(userId: string, view: View): void {
      homes.set(userId, view);
      changed.notify();
    },
    byId: (id: string) => all().find((view) => view.id === id),
    byExternalId: (id: string) => all().find((view) => view.externalId === id),
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
