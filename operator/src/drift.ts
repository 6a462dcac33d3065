// Whether an object is still as desired. Additions of others, and the API server's defaults, are ignored.
import type { KubeObject } from '@gantry/contract/define-kind.ts';

export const isKept = (wanted: KubeObject, seen: KubeObject): boolean => covers(wanted, seen);

/** Every wanted member is there; lists are of one length. An empty list or map is as good as none. */
function covers(wanted: unknown, seen: unknown): boolean {
  if (Array.isArray(wanted)) {
    const list = Array.isArray(seen) ? seen : [];
    return wanted.length === list.length && wanted.every((value, index) => covers(value, list[index]));
  }
  if (typeof wanted !== 'object' || wanted === null) return wanted === seen || (wanted === false && seen === undefined);
  const map = (seen ?? {}) as Record<string, unknown>;
  return Object.entries(wanted).every(([key, value]) => value === undefined || covers(value, map[key]));
}
