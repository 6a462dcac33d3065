// Datasets of two organisations on a store in memory, whose steps follow each other at once.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import { SealedCredentials } from '../../../core/files/sources/sealed-credentials.ts';
import { PlayedDisk } from '../../../core/files/sources/testing/played-disk.ts';
import { openStoredFiles } from '../../../core/files/stored-files.ts';
import { blobKey } from '../../../core/files/stored-objects.ts';
import { PlayedStore } from '../../../core/files/testing/played-store.ts';
import type { Database } from '../../../platform/db/open.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { Collected } from '../../models/collected/collected.ts';
import type { SourceParts } from '../dataset-sources.ts';
import { type OpenDatasetsParts, openDatasets } from '../open.ts';
import type { ReadsParts } from '../version-tables.ts';
import { PlayedDataServer } from './played-data-server.ts';

/** Of a machine with much else to do. */
export const PATIENCE_MS = 120_000;
export const EDIT = { license: null, language: [], tags: [], card: '' };
const WISH = { ...EDIT, type: 'file' as const };
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
export const callerOf = (organization: string, role: OrgRole = 'owner'): Caller =>
  ({
    account: { id: `acc-${organization}`, name: organization, email: null, locale: 'en', platformRoles: [] },
    organization: { id: organization, role, namespace: `org-${organization}` },
    session: { id: 's', kind: 'session', scopes: [], expiresAt: 0 },
  }) as Caller;
export const acme = callerOf('acme');
export const other = callerOf('other');
export const listed = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([path, text]) => ({ path, size_bytes: Buffer.byteLength(text), sha256: sha256(text) }));

interface StageWish {
  hasData: boolean;
  made?: SourceParts['made'];
  /** Besides those that the stage is told. */
  usedBy?: OpenDatasetsParts['usedBy'];
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** `hasData`: whether there are data servers; `made`: what tasks have made; `usedBy`: by whom. Stop `stored` afterwards. */
export async function openStage(db: Database, { hasData, made, usedBy = () => [] }: StageWish) {
  const users = new Map<string, string>();
  const createdAt = new Date('2026-01-01');
  for (const id of ['acme', 'other']) {
    await db.sql.insert(accounts).values({ id: `acc-${id}`, name: id, createdAt });
    await db.sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt });
    await db.sql.insert(memberships).values({ organizationId: id, accountId: `acc-${id}`, role: 'owner', createdAt });
  }
  const store = new PlayedStore();
  /** How long one is fetched. */
  const turn = { ms: 600_000 };
  const quota = { gi: 1 };
  const data = new PlayedDataServer(store);
  // Looks at what waits at once.
  const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(Math.min(ms, 20), run) };
  const stored = openStoredFiles({
    ...{ db, clock, store: store.store, quotaGi: () => quota.gi, turnMs: () => turn.ms, log: { info() {}, warn() {} } },
    storage: { priceOf: () => undefined, charge: async () => {} },
  });
  const collected = new Collected({ db, clock, store: store.store, exists: () => true });
  const secrets = { seal: (_: string, text: string) => text, open: (_: string, sealed: string) => sealed };
  const all = openDatasets({
    sources: {
      hub: undefined,
      disks: new PlayedDisk('data'),
      credentials: new SealedCredentials({ db, clock, secrets }),
      made,
    },
    ...{ db, clock, stored, collected },
    ...{ data: hasData ? data : undefined, rows: playedRows(store) },
    usedBy: (dataset, version) => {
      const name = users.get(version === undefined ? dataset : `${dataset}/${version}`) ?? users.get(dataset);
      return [...(name === undefined ? [] : [{ organizationId: 'acme', name }]), ...usedBy(dataset, version)];
    },
  });
  stored.start();

  const created = (name: string, caller = acme) => all.datasets.create(caller, { ...WISH, name });
  const ended = (id: string, version: string, caller = acme) =>
    eventually(
      'a version that has ended',
      async () => {
        const found = await all.versions.get(caller, { id, version }, 'en');
        return found.state === 'processing' ? undefined : found;
      },
      PATIENCE_MS,
    );

  /** Resolves with the paths that had to be sent. */
  async function uploaded(
    id: string,
    files: Readonly<Record<string, string>>,
    caller = acme,
  ): Promise<{ version: string; sent: string[] }> {
    const version = `${await all.uploads.begin(caller, id, { message: 'one more' })}`;
    const sent = await all.uploads.add(caller, { id, version }, listed(files));
    for (const path of sent) {
      const bytes = Buffer.from(files[path] ?? '');
      await all.uploads.put(caller, { id, version, path, offset: 0, length: bytes.length }, Readable.from([bytes]));
    }
    await all.uploads.complete(caller, { id, version });
    await ended(id, version, caller);
    return { version, sent };
  }

  return { users, store, turn, quota, data, stored, collected, all, created, ended, uploaded };
}

const json = (answer: object): Uint8Array => Buffer.from(JSON.stringify(answer));

/** Parts that the played server has written. */
const playedRows = ({ objects }: PlayedStore): ReadsParts => {
  const rowsOf = (key: string): string[] => JSON.parse(`${objects.get(blobKey(key))}`);
  return {
    pageOf: async (parts, { from, size }) => {
      const rows = parts.flatMap(({ key }) => rowsOf(key)).slice(from, from + size);
      const total = parts.reduce((sum, part) => sum + part.rows, 0);
      return json({ columns: [{ name: 'a', type: 'VARCHAR' }], rows: rows.map((row) => [row]), cut: [], total });
    },
    cellOf: async (parts, row) => {
      const value = parts.flatMap(({ key }) => rowsOf(key))[row];
      return value === undefined ? undefined : json({ value, length: null });
    },
    linesOf: (parts) => Readable.from(parts.flatMap(({ key }) => rowsOf(key)).map((row) => Buffer.from(`${row}\n`))),
  };
};
