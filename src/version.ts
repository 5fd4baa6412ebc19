import packageFile from '../package.json' with { type: 'json' };

/** The version of this release, such as `1.4.0`. `npm version` sets it in package.json, and nothing else states it. */
export const VERSION: string = packageFile.version;
