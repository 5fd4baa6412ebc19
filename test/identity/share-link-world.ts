import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type LinkWorld, type LinkWorldOptions, startLinkWorld } from './link-world.ts';

/** One world for all tests of a file, with nobody connected before each of them. */
export function shareLinkWorld(options?: LinkWorldOptions): LinkWorld {
  const world = {} as LinkWorld;
  beforeAll(async () => {
    Object.assign(world, await startLinkWorld(options));
  });
  beforeEach(() => world.reset());
  afterAll(() => world.close());
  return world;
}
