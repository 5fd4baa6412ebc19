import packageFile from '../package.json' with { type: 'json' };

/** The version of this release, such as `1.4.0`, from package.json. */
export const VERSION: string = packageFile.version;
