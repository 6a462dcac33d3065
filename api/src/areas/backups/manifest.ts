// The manifest that lies beside a sealed file in the bucket and is written after it: a backup without one is none. It can be read without
// the key and not be made without it.
import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Counts } from './archive.ts';
import { type Keys, macOf, Unreadable } from './sealed.ts';

const FORMAT = 1;

const manifest = z.object({
  gantryBackup: z.literal(FORMAT),
  id: z.string(),
  at: z.iso.datetime(),
  version: z.string(),
  /** The size of the sealed file. */
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  counts: z.object({ rows: z.int(), objects: z.int(), companions: z.int(), references: z.int() }),
});
export type Manifest = z.output<typeof manifest>;

const signed = manifest.extend({ mac: z.string().regex(/^[0-9a-f]{64}$/) });

export const manifestOf = (facts: Omit<Manifest, 'gantryBackup'> & { counts: Counts }): Manifest => ({
  gantryBackup: FORMAT,
  ...facts,
});

export const manifestText = (facts: Manifest, keys: Keys): string =>
  JSON.stringify({ ...facts, mac: macOf(keys, JSON.stringify(facts)) });

/** Throws Unreadable for whatever is no manifest of this backup. */
export function readManifest(text: string, id: string): { facts: Manifest; mac: string } {
  const parsed = signed.safeParse(jsonOf(text));
  if (!parsed.success || parsed.data.id !== id) throw new Unreadable(`the manifest of ${id} cannot be read`);
  const { mac, ...facts } = parsed.data;
  return { facts, mac };
}

/** Throws Unreadable unless whoever had the key wrote it. */
export function mustBeSigned({ facts, mac }: { facts: Manifest; mac: string }, keys: Keys): void {
  const { gantryBackup, id, at, version, bytes, sha256, counts } = facts;
  const { rows, objects, companions, references } = counts;
  const inOrder = { gantryBackup, id, at, version, bytes, sha256, counts: { rows, objects, companions, references } };
  if (!timingSafeEqual(Buffer.from(mac, 'hex'), Buffer.from(macOf(keys, JSON.stringify(inOrder)), 'hex')))
    throw new Unreadable(`the manifest of ${facts.id} was changed`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
