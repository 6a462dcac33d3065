// A run's name on the cluster.
import { randomBytes } from 'node:crypto';

/** Lower-case letters and digits, as names there have them. */
export const newRun = (): string => randomBytes(4).toString('hex');
