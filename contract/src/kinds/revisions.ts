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
  spec?: object | undefined;
  status?: { revision?: number | undefined; revisions?: readonly Revision[] | undefined } | undefined;
};

/** The revision that a rollback returns to: the given one, or the newest good one that the spec does not say already. */
export function rollbackTo(object: Revised, fields: readonly string[], revision?: number): Revision | undefined {
  const others = revisionsBefore(object, fields);
  return revision === undefined
    ? others.find(({ outcome }) => outcome === 'good')
    : others.find((one) => one.revision === revision);
}

/**
 * All that a return would change something by. The present one is among them while an edit is refused; one that differs only by a
 * restart is not.
 */
export function revisionsBefore({ spec, status }: Revised, fields: readonly string[]): Revision[] {
  const wished: Readonly<Record<string, unknown>> = { ...spec };
  return listOf(status?.revisions).filter((one) => {
    const template = templateOf(one.template);
    return template && fields.some((field) => JSON.stringify(template[field]) !== JSON.stringify(wished[field]));
  });
}

/** Whether a rollback to it would change something. */
export const canReturn = (object: Revised, fields: readonly string[], revision: number): boolean =>
  rollbackTo(object, fields, revision) !== undefined;

/** The merge patch that restores these fields of the spec from another revision: a field that it did not have is removed. */
export function rollbackPatch(object: Revised, fields: readonly string[], revision?: number): Record<string, unknown> {
  const target = templateOf(rollbackTo(object, fields, revision)?.template);
  return target ? Object.fromEntries(fields.map((field) => [field, target[field] ?? null])) : {};
}

/** The template that a revision remembers; undefined if it is unreadable. */
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
    applies: (object: Revised) => rollbackTo(object, fields) !== undefined,
    does: (object: Revised) => ({ spec: rollbackPatch(object, fields) }),
    right: 'use',
    danger: 'interrupts',
    spends: true,
  }) as const;

export const ROLLBACK_OPTIONS = {
  revision: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'rollback: the revision to return to; the last good one if left out.' }),
};
