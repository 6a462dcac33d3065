// Constants that the build defines: see vite.config.ts.

/** Version of the root package, when this was built. */
declare const GANTRY_VERSION: string;
