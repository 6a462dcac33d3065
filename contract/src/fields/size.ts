// Sizes of disks.
import * as z from 'zod';

/** A size in GiB; 5 TB of the specification are 5120 (spec section 9, decisions 1.7). */
export const MOST_DISK_GI = 5120;
export const sizeGi = z.int().min(1).max(MOST_DISK_GI);
