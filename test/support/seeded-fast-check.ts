// fast-check whose histories are drawn from GANTRY_SEED, the day's number unless set: what failed fails again, what passed in the
// morning passes in the evening, and every day tries others. A failure tells the seed.
import fc from 'fast-check';
import { seedOf } from '../faults/crash-points.ts';

export const SEED = seedOf(process.env, new Date());
fc.configureGlobal({ seed: SEED });

export { fc };
