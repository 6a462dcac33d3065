// What the build puts in: see vite.config.ts.

/** Version of the root package, when this was built. */
declare const GANTRY_VERSION: string;
