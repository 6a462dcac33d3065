// The bytes of the books that are hashed: a transfer with its postings, and a block of transfers.
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import type { WrittenLeg } from './ledger.ts';

/** The previous hash of the first block. */
export const NOTHING_BEFORE = '0'.repeat(64);

/** As the columns say it; times in microseconds. */
export interface WrittenTransfer {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly org: string;
  readonly currency: string;
  readonly at: string;
  readonly postedAt: string;
  readonly bill: string | null;
  readonly memo: Record<string, string>;
  /** In their order. */
  readonly legs: readonly WrittenLeg[];
}

/** Beyond `after` and up to `upTo`, in the order of their ids. */
export function writtenBetween(
  connection: Sql,
  after: bigint,
  upTo: bigint,
  limit: number,
): Promise<WrittenTransfer[]> {
  return rowsOf<WrittenTransfer>(
    connection,
    sql`with read as (
        select * from transfers where id > ${`${after}`}::bigint and id <= ${`${upTo}`}::bigint order by id limit ${limit}
      ), legs as (
        select transfer_id, json_agg(json_build_array(leg, debit, credit, amount::text) order by leg) as legs
        from postings where transfer_id in (select id from read) group by transfer_id
      )
      select read.id::text, key, type, org_id as org, currency, (extract(epoch from at) * 1000000)::bigint::text as at,
        (extract(epoch from posted_at) * 1000000)::bigint::text as "postedAt", bill_id as bill, memo,
        coalesce(legs.legs, '[]') as legs
      from read left join legs on transfer_id = read.id order by read.id`,
  );
}

/** SHA-256, hexadecimal. */
export const hashOfTransfer = (transfer: WrittenTransfer): string => {
  const { id, key, type, org, currency, at, postedAt, bill, memo, legs } = transfer;
  const words = Object.entries(memo).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([id, key, type, org, currency, at, postedAt, bill, words, legs]));
};

export type Sealed = readonly [id: string, hash: string];

/** A block's hash covers its number, the previous hash and its transfers' hashes. */
export const hashOfBlock = (number: bigint, previous: string, transfers: readonly Sealed[]): string =>
  sha256(JSON.stringify([`${number}`, previous, transfers]));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
