// Pictures of real-name verifications: their type is determined by their bytes, never by a name or a header. Only the uploader
// and audit managers see them; for everybody else they do not exist. They are stored sealed.

import { PICTURE_BYTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq, inArray, isNull, ne, or } from 'drizzle-orm';
import { fileTypeFromBuffer } from 'file-type';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { accounts } from '../../../platform/db/schema/people.ts';
import { pictures } from '../../../platform/db/schema/real-auth.ts';
import { newId } from '../../../platform/ids.ts';
import type { Secrets } from '../../../platform/secrets.ts';

const KINDS = ['image/jpeg', 'image/png'] as const;
type PictureKind = (typeof KINDS)[number];

/** Uploaded and not submitted: beyond this number the oldest goes first. */
const MOST_LOOSE = 6;

export interface Picture {
  id: string;
  mediaType: PictureKind;
  bytes: number;
}

/** Before what is sealed. A picture from before 2026-11-26 is stored as it is, and no JPEG or PNG begins like this. */
const SEALED = Buffer.from([1]);

const purposeOf = (id: string): string => `picture ${id}`;

/** Throws picture_kind for whatever is neither JPEG nor PNG inside. */
async function pictureKindOf(content: Uint8Array): Promise<PictureKind> {
  const mime = (await fileTypeFromBuffer(content).catch(() => undefined))?.mime;
  const kind = KINDS.find((known) => known === mime);
  if (!kind) throw problem('picture_kind');
  return kind;
}

export interface PicturesParts {
  db: Database;
  clock: Clock;
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes'>;
}

export class Pictures {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #secrets: PicturesParts['secrets'];

  constructor({ db, clock, secrets }: PicturesParts) {
    this.#db = db;
    this.#clock = clock;
    this.#secrets = secrets;
  }

  async add(accountId: string, content: Uint8Array): Promise<Picture> {
    if (content.length > PICTURE_BYTES) throw problem('too_large', { most: PICTURE_BYTES });
    const mediaType = await pictureKindOf(content);
    const id = newId('pic');
    const sealed = Buffer.concat([SEALED, this.#secrets.sealBytes(purposeOf(id), content)]);
    await this.#db.transaction(async (tx) => {
      // The account's row is the queue: else many at once would all be the last allowed one.
      await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('update');
      const loose = await tx
        .select({ id: pictures.id })
        .from(pictures)
        .where(and(eq(pictures.accountId, accountId), isNull(pictures.realAuthId)))
        .orderBy(asc(pictures.createdAt), asc(pictures.id));
      const over = loose.slice(0, Math.max(0, loose.length + 1 - MOST_LOOSE)).map((row) => row.id);
      if (over.length > 0) await tx.delete(pictures).where(inArray(pictures.id, over));
      await tx
        .insert(pictures)
        .values({ id, accountId, mediaType, content: sealed, createdAt: new Date(this.#clock.now()) });
    });
    return { id, mediaType, bytes: content.length };
  }

  /** Throws not_found for a picture of somebody else's, unless an audit manager asks. */
  async get(id: string, asked: { accountId: string; mayAudit: boolean }) {
    const [row] = await this.#db.sql.select().from(pictures).where(eq(pictures.id, id));
    if (!row || !(row.accountId === asked.accountId || (asked.mayAudit && row.realAuthId !== null)))
      throw problem('not_found', { what: id });
    return { mediaType: row.mediaType, content: this.#opened(row), isOwn: row.accountId === asked.accountId };
  }

  #opened({ id, content }: { id: string; content: Uint8Array }): Uint8Array {
    if (content[0] !== SEALED[0]) return content;
    return this.#secrets.openBytes(purposeOf(id), content.subarray(SEALED.length));
  }
}

/** Joins pictures with the submission that shows them; those it showed before and shows no more are removed. */
export async function keepPictures(
  tx: Sql,
  { accountId, realAuthId, wanted }: { accountId: string; realAuthId: string; wanted: Record<string, string> },
): Promise<void> {
  for (const [field, id] of Object.entries(wanted)) {
    const kept = await tx
      .update(pictures)
      .set({ realAuthId })
      .where(
        and(
          eq(pictures.id, id),
          eq(pictures.accountId, accountId),
          or(isNull(pictures.realAuthId), eq(pictures.realAuthId, realAuthId)),
        ),
      )
      .returning({ id: pictures.id });
    if (kept.length === 0) throw problem('picture_unknown', {}, { field });
  }
  const shown = Object.values(wanted);
  await tx.delete(pictures).where(and(eq(pictures.realAuthId, realAuthId), ...shown.map((id) => ne(pictures.id, id))));
}
