// The live world with an administrator at work in it.
import { onTestFinished } from 'vitest';
import { giveAdminCommand, signInAsAdmin } from '../app/administer.ts';
import { type Hand, KIM, toHand } from './admin-world.ts';
import { type LiveOptions, type LiveWorld, shareWorld, startLiveWorld } from './live-world.ts';

export type AdminWorld = LiveWorld & Hand;

/** Kim is an admin who has signed in. The service shows limits, unless told otherwise. */
export async function startAdminWorld(options: LiveOptions = {}, world = {} as AdminWorld): Promise<AdminWorld> {
  await startLiveWorld({ ...options, admin: { thresholdList: true, ...options.admin } }, world);
  Object.assign(world, toHand(world));
  await signInAsAdmin(world, KIM, await giveAdminCommand(world, KIM, 'sign-in'));
  world.admin.ledger.clear();
  return world;
}

/** One for a whole file or `describe`. */
export function shareAdminWorld(options: LiveOptions = {}): AdminWorld {
  return shareWorld<AdminWorld>((world) => startAdminWorld(options, world));
}

/** One for a test, which ends with it. */
export async function openAdminWorld(options: LiveOptions = {}, onEnd = onTestFinished): Promise<AdminWorld> {
  const world = await startAdminWorld(options);
  onEnd(() => world.close());
  return world;
}
