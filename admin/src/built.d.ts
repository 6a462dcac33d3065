/** The version of this build. */
declare const GANTRY_VERSION: string;
