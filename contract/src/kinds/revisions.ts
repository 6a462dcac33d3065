// The way back to what an object that is served was: its status remembers its last revisions, each with the fields of the spec that
// made it so.
import * as z from 'zod';
import type { KubeObject } from '../define-kind.ts';
import { listOf } from '../fields/stored.ts';

interface Revision {
  revision: number;
  outcome: string;
  template?: string | undefined;
}

type Revised = KubeObject & {
  status?: { revision?: number | undefined; revisions?: readonly Revision[] | undefined } | undefined;
};

/** The revision that a rollback returns to: the given one, or the newest good one before the present. */
export function rollbackTo(object: Revised, revision?: number): Revision | undefined {
  const others = revisionsBefore(object);
  return revision === undefined
    ? others.find(({ outcome }) => outcome === 'good')
    : others.find((one) => one.revision === revision);
}

/** All that something returns to. */
export function revisionsBefore(object: Revised): Revision[] {
  const { status } = object;
  return listOf(status?.revisions).filter((one) => one.revision !== status?.revision && one.template !== undefined);
}

/** What makes these fields of the spec those of another revision, as a merge patch: a field that it had not is removed. */
export function rollbackPatch(object: Revised, fields: readonly string[], revision?: number): Record<string, unknown> {
  const target = templateOf(rollbackTo(object, revision)?.template);
  return target ? Object.fromEntries(fields.map((field) => [field, target[field] ?? null])) : {};
}

/** What a revision remembers; unreadable, nothing. */
export function templateOf(text = ''): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The command of a kind whose revisions remember these fields. */
export const rollbackFrom = <const Phase extends string>(from: readonly Phase[], fields: readonly string[]) =>
  ({
    from,
    applies: (object: Revised) => rollbackTo(object) !== undefined,
    does: (object: Revised) => ({ spec: rollbackPatch(object, fields) }),
    right: 'use',
    danger: 'interrupts',
    spends: true,
  }) as const;

/** Of a command's body. */
export const ROLLBACK_OPTIONS = {
  revision: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'rollback: the revision to return to; the last good one if left out.' }),
};
