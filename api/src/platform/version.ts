// The product's version: that of the root package, which all others share.
import { readFileSync } from 'node:fs';

export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
