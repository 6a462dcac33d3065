// The files that the client was built into, by their sources: the build of the server puts them here (vite.config.ts).
import type { Manifest } from './document.ts';

export const manifest: Manifest = {};
