// Real-name authentication: submitted by a person, decided by an automatic check where it is sure, and by an auditor otherwise.
// ID card numbers lie sealed; the welcome credit is recorded with the approval of the person, once per person and not per account.

import {
  COMMITMENT_VERSION,
  REAL_AUTH_TYPE,
  type RealAuthState,
  type RealAuthSubmission,
  type RealAuthType,
  type WelcomeCreditState,
} from '@gantry/contract/areas/identity/real-auth.ts';
import { isIdCard, wholeIdCard } from '@gantry/contract/fields/id-card.ts';
import type { IdentityDocument } from '@gantry/contract/fields/identity-document.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, desc, eq, gt, inArray, isNull, ne, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { count, type Limit } from '../../../platform/db/counters.ts';
import { type CursorPage, type CursorRows, cursorPage } from '../../../platform/db/key-pages.ts';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { events } from '../../../platform/db/schema/events.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { realAuths } from '../../../platform/db/schema/real-auth.ts';
import { realAuthOpenings, realAuthReviews } from '../../../platform/db/schema/staff.ts';
import { newId } from '../../../platform/ids.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { NOTICES, type Notify } from '../organizations/notices.ts';
import type { CheckRealName, Verdict } from './check-real-name.ts';
import { keepPictures } from './pictures.ts';
import { nextState, orderRefusal, type RealAuthStep, summaryOf } from './real-auth-states.ts';

type Row = typeof realAuths.$inferSelect;
/** `idCard` is the number itself, of whichever document. */
export type RealAuth = Row & {
  accountName: string;
  accountLocale: string;
  /** The first of two approvals of this content. */
  first: { by: string; at: Date; reason: string } | undefined;
  /** The auditor's name; absent: nobody, or no person. */
  decidedByName: string | undefined;
};

/** Somebody who has a submission open. */
export interface Opening {
  accountId: string;
  name: string;
  since: Date;
}

const SEALED_FOR = 'id-card';
const STEP_OF = { 1: 'approve', 2: 'reject', 3: 'take' } as const satisfies Record<1 | 2 | 3, RealAuthStep>;

export interface RealAuthParts {
  db: Database;
  clock: Clock;
  secrets: Pick<Secrets, 'seal' | 'open' | 'hmac'>;
  notify: Notify;
  /** Absent: auditors look at all of them. It knows ID cards alone. */
  check?: CheckRealName | undefined;
  documents: readonly IdentityDocument[];
  /** Whether a person who is verified gets credits. */
  isWelcoming: boolean;
  /** How many people must approve a submission; a rejection needs one. */
  reviewers: 1 | 2;
}

/** The decider's name for decisions that no person made. */
const AUTOMATIC = 'automatic';
/** Whoever was not heard of for so long has gone elsewhere. */
const OPEN_MS = 30_000;
/** More would let an account ask the adapter whose name belongs to which number; an auditor decides then. */
const CHECKED_OF_ACCOUNT: Limit = { most: 3, windowMs: 24 * 3_600_000 };

export class RealAuths {
  readonly #parts: RealAuthParts;

  constructor(parts: RealAuthParts) {
    this.#parts = parts;
  }

  /** An account's two submissions, and its status. */
  async own(accountId: string) {
    const rows = await this.#read(this.#parts.db.sql, eq(realAuths.accountId, accountId));
    const of = (type: RealAuthType) => rows.find((row) => row.type === type);
    const [personal, enterprise] = [of(REAL_AUTH_TYPE.personal), of(REAL_AUTH_TYPE.enterprise)];
    const summary = summaryOf(personal?.state ?? 'none', enterprise?.state ?? 'none');
    return { personal, enterprise, summary, welcomeCredit: await this.#welcomeCredit(personal) };
  }

  async list({
    state,
    type,
    q,
    ...asked
  }: CursorPage & {
    state?: RealAuthState | undefined;
    type?: RealAuthType | undefined;
    q?: string | undefined;
  }): Promise<CursorRows<RealAuth>> {
    const starts = (column: typeof realAuths.name | typeof realAuths.enterpriseName | typeof accounts.name) =>
      sql`starts_with(lower(${column}), lower(${q ?? ''}))`;
    const db = this.#parts.db.sql;
    const named = db.select({ id: accounts.id }).from(accounts).where(starts(accounts.name));
    const where = and(
      state && eq(realAuths.state, state),
      type && eq(realAuths.type, type),
      q === undefined
        ? undefined
        : or(starts(realAuths.name), starts(realAuths.enterpriseName), inArray(realAuths.accountId, named)),
    );
    const { items, ...rest } = await cursorPage(
      db,
      { table: realAuths, columns: COLUMNS, own: sql`true`, where, sort: ['submittedAt', 'ASC'] },
      asked,
      select(db),
      ({ row }) => row.id,
    );
    return { items: items.map((found) => this.#opened(found)), ...rest };
  }

  async get(id: string): Promise<RealAuth> {
    const [row] = await this.#read(this.#parts.db.sql, eq(realAuths.id, id));
    if (!row) throw problem('not_found', { what: id });
    return row;
  }

  /** A first submission, or a rejected one again: the table says which is possible. */
  async submit(accountId: string, wanted: RealAuthSubmission, step: 'submit' | 'resubmit'): Promise<RealAuth> {
    const { db, clock, secrets, documents } = this.#parts;
    const { number, ...document } = documentOf(wanted);
    if (!documents.includes(document.document)) throw problem('document_not_accepted', {}, { field: 'document' });
    const now = new Date(clock.now());
    const id = await db.transaction(async (tx) => {
      // The account's row is the queue: both submissions are looked at, and one is written.
      await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('update');
      const rows = await tx.select().from(realAuths).where(eq(realAuths.accountId, accountId));
      const stateOf = (type: RealAuthType) => rows.find((row) => row.type === type)?.state ?? 'none';
      const refusal = orderRefusal(wanted.type, stateOf(REAL_AUTH_TYPE.personal), stateOf(REAL_AUTH_TYPE.enterprise));
      const from = stateOf(wanted.type);
      if (refusal) throw problem(refusal, { state: from });
      const state = nextState(from, step);
      if (!state) throw problem('real_auth_state', { state: from });
      const known = rows.find((row) => row.type === wanted.type)?.id;
      const row = {
        ...fieldsOf(wanted),
        ...document,
        accountId,
        type: wanted.type,
        state,
        idCard: secrets.seal(SEALED_FOR, number),
        commitmentVersion: COMMITMENT_VERSION,
        committedAt: now,
        submittedAt: now,
        decidedAt: null,
        decidedBy: null,
        reason: null,
      };
      const realAuthId = known ?? newId('rna');
      if (known) await tx.update(realAuths).set(row).where(eq(realAuths.id, known));
      else await tx.insert(realAuths).values({ id: realAuthId, ...row });
      await keepPictures(tx, { accountId, realAuthId, wanted: picturesOf(wanted) });
      return realAuthId;
    });
    await this.#checkItself({ id, accountId, submittedAt: now }, wanted);
    return this.get(id);
  }

  /** A crash meanwhile leaves it pending, which auditors see too. */
  async #checkItself(
    { id, accountId, submittedAt }: Pick<Row, 'id' | 'accountId' | 'submittedAt'>,
    wanted: RealAuthSubmission,
  ): Promise<void> {
    const { check, db, clock } = this.#parts;
    if (!check) return;
    const isChecked =
      'id_card' in wanted && (await count(db.sql, `real_name:${accountId}`, CHECKED_OF_ACCOUNT, clock.now())) === 0;
    const verdict: Verdict | undefined = isChecked ? await check(id, wanted) : { step: 'take' };
    if (!verdict) return;
    const reason = verdict.step === 'reject' ? verdict.reason : '';
    await this.#decide(id, verdict.step, { by: AUTOMATIC, reason }, async (found) => {
      // An auditor was faster, after which it may even have been submitted again with other content.
      const isSame = found.submittedAt.getTime() === submittedAt.getTime();
      if (found.state !== 'pending' || !isSame) throw problem('real_auth_state', { state: found.state });
      return 'decide';
    }).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
  }

  /**
   * 1 approves, 2 rejects, 3 takes it for manual review. Nobody decides about themselves or a person of an organisation that they
   * belong to. Where two must approve, the first approval is recorded, and another person decides.
   */
  async audit(
    auditor: { id: string },
    id: string,
    { result, reason }: { result: 1 | 2 | 3; reason: string },
  ): Promise<RealAuth> {
    const { db, clock, reviewers } = this.#parts;
    await this.#decide(id, STEP_OF[result], { by: auditor.id, reason }, async (found, tx) => {
      if (found.accountId === auditor.id) throw problem('own_real_auth');
      if (await areInOne(tx, found.accountId, auditor.id)) throw problem('real_auth_own_organization');
      if (found.state === 'approved' || found.state === 'rejected')
        throw problem('real_auth_decided', { who: (await nameOf(tx, found.decidedBy)) ?? AUTOMATIC });
      if (result !== 1 || reviewers === 1) return 'decide';
      const before = await tx.select().from(realAuthReviews).where(ofContent(found));
      if (before.some(({ reviewerId }) => reviewerId === auditor.id)) throw problem('second_reviewer');
      if (before.length > 0) return 'decide';
      await tx.insert(realAuthReviews).values({
        realAuthId: found.id,
        submittedAt: found.submittedAt,
        reviewerId: auditor.id,
        at: new Date(clock.now()),
        reason: reason.trim(),
      });
      return 'noted';
    });
    await db.sql
      .delete(realAuthOpenings)
      .where(and(eq(realAuthOpenings.realAuthId, id), eq(realAuthOpenings.accountId, auditor.id)));
    return this.get(id);
  }

  /** Notes that an auditor has it open, and says what became of it and who else has. Reveals nothing of the person. */
  async watch(auditor: { id: string }, id: string) {
    const { db, clock, reviewers } = this.#parts;
    const now = clock.now();
    const [found] = await db.sql.select().from(realAuths).where(eq(realAuths.id, id));
    if (!found) throw problem('not_found', { what: id });
    const seenAt = new Date(now);
    const since = new Date(now - OPEN_MS);
    await db.sql
      .insert(realAuthOpenings)
      .values({ realAuthId: id, accountId: auditor.id, openedAt: seenAt, seenAt })
      .onConflictDoUpdate({
        target: [realAuthOpenings.realAuthId, realAuthOpenings.accountId],
        set: {
          seenAt,
          openedAt: sql`case when ${realAuthOpenings.seenAt} < ${since} then ${seenAt} else ${realAuthOpenings.openedAt} end`,
        },
      });
    const others: Opening[] = await db.sql
      .select({ accountId: accounts.id, name: accounts.name, since: realAuthOpenings.openedAt })
      .from(realAuthOpenings)
      .innerJoin(accounts, eq(accounts.id, realAuthOpenings.accountId))
      .where(
        and(
          eq(realAuthOpenings.realAuthId, id),
          ne(realAuthOpenings.accountId, auditor.id),
          gt(realAuthOpenings.seenAt, since),
        ),
      )
      .orderBy(asc(realAuthOpenings.openedAt));
    const isDecided = found.state === 'approved' || found.state === 'rejected';
    const decidedBy = isDecided ? ((await nameOf(db.sql, found.decidedBy)) ?? AUTOMATIC) : undefined;
    const queue = await this.#queue(auditor.id, found, since);
    return { id, state: found.state, decidedBy, reviewers, others, ...queue };
  }

  /** The submissions that wait for this auditor besides `here`: the next in order of submission, beginning again at the oldest. */
  async #queue(auditorId: string, here: Row, since: Date): Promise<{ next: string | undefined; waiting: number }> {
    const { sql: db } = this.#parts.db;
    const colleague = alias(memberships, 'colleague');
    const own = alias(memberships, 'own');
    const waits = and(
      inArray(realAuths.state, ['pending', 'manualReview']),
      ne(realAuths.id, here.id),
      ne(realAuths.accountId, auditorId),
      notExists(
        db
          .select({ id: realAuthReviews.realAuthId })
          .from(realAuthReviews)
          .where(
            and(
              eq(realAuthReviews.realAuthId, realAuths.id),
              eq(realAuthReviews.submittedAt, realAuths.submittedAt),
              eq(realAuthReviews.reviewerId, auditorId),
            ),
          ),
      ),
      notExists(
        db
          .select({ id: colleague.organizationId })
          .from(colleague)
          .innerJoin(own, eq(own.organizationId, colleague.organizationId))
          .innerJoin(organizations, eq(organizations.id, own.organizationId))
          .where(
            and(
              eq(colleague.accountId, realAuths.accountId),
              eq(own.accountId, auditorId),
              isNull(organizations.deletedAt),
            ),
          ),
      ),
    );
    const isFree = notExists(
      db
        .select({ id: realAuthOpenings.realAuthId })
        .from(realAuthOpenings)
        .where(
          and(
            eq(realAuthOpenings.realAuthId, realAuths.id),
            ne(realAuthOpenings.accountId, auditorId),
            gt(realAuthOpenings.seenAt, since),
          ),
        ),
    );
    const isLater = sql`(${realAuths.submittedAt}, ${realAuths.id}) > (${here.submittedAt}, ${here.id})`;
    const [next] = await db
      .select({ id: realAuths.id })
      .from(realAuths)
      .where(and(waits, isFree))
      .orderBy(desc(isLater), asc(realAuths.submittedAt), asc(realAuths.id))
      .limit(1);
    return { next: next?.id, waiting: await db.$count(realAuths, waits) };
  }

  /** `allow` throws where this one may not decide, and says whether it is decided or only noted. */
  async #decide(
    id: string,
    step: RealAuthStep,
    { by, reason }: { by: string; reason: string },
    allow: (found: Row, tx: Sql) => Promise<'decide' | 'noted'>,
  ): Promise<void> {
    const { db, clock, notify } = this.#parts;
    const now = new Date(clock.now());
    const decided = await db.transaction(async (tx) => {
      const [found] = await tx.select().from(realAuths).where(eq(realAuths.id, id)).for('update');
      if (!found) throw problem('not_found', { what: id });
      if ((await allow(found, tx)) === 'noted') return undefined;
      const state = nextState(found.state, step);
      if (!state) throw problem('real_auth_state', { state: found.state });
      await tx
        .update(realAuths)
        .set({ state, decidedAt: now, decidedBy: by, reason: reason.trim() })
        .where(eq(realAuths.id, id));
      return { row: found, isDenied: state === 'approved' && !(await this.#certify(tx, found, now)) };
    });
    if (step === 'take' || !decided) return;
    const { row, isDenied } = decided;
    const approved = isDenied ? NOTICES.realAuthApprovedAgain : NOTICES.realAuthApproved;
    const notice = step === 'approve' ? approved : NOTICES.realAuthRejected;
    notify({ accountId: row.accountId, ...notice, args: { reason: reason.trim() } });
  }

  /** False where the welcome credit is not given because the same document has brought it to another account. */
  async #certify(tx: Sql, found: Row, now: Date): Promise<boolean> {
    if (found.type === REAL_AUTH_TYPE.enterprise) {
      await tx.update(accounts).set({ kind: 'enterprise' }).where(eq(accounts.id, found.accountId));
      return true;
    }
    const organizationId = await creditedIn(tx, found.accountId);
    if (organizationId === undefined) return true;
    const { secrets, isWelcoming } = this.#parts;
    const given = await tx
      .insert(events)
      .values({
        id: newId('evt'),
        type: 'welcome_credit',
        once: this.#onceFor({ ...found, idCard: secrets.open(SEALED_FOR, found.idCard) }),
        accountId: found.accountId,
        organizationId,
        at: now,
        payload: { real_auth_id: found.id },
      })
      .onConflictDoNothing({ target: events.once })
      .returning({ id: events.id });
    return given.length > 0 || !isWelcoming;
  }

  async #welcomeCredit(personal: RealAuth | undefined): Promise<WelcomeCreditState> {
    if (personal?.state !== 'approved' || !this.#parts.isWelcoming) return 'none';
    const [given] = await this.#parts.db.sql
      .select({ accountId: events.accountId })
      .from(events)
      .where(eq(events.once, this.#onceFor(personal)));
    if (!given) return 'none';
    return given.accountId === personal.accountId ? 'granted' : 'usedElsewhere';
  }

  /** Names the welcome credit of whoever the document belongs to. */
  #onceFor({ document, documentCountry, idCard }: Pick<RealAuth, 'document' | 'documentCountry' | 'idCard'>): string {
    // Other Chinese documents, such as driving licences, have the number of the ID card.
    const hasCardNumber = document === 'idCard' || (documentCountry === 'CN' && isIdCard(idCard));
    const person = hasCardNumber ? wholeIdCard(idCard) : `${documentCountry}/${document}/${idCard}`;
    return `welcome_credit/${this.#parts.secrets.hmac('person', person)}`;
  }

  async #read(db: Sql, where: ReturnType<typeof and>): Promise<RealAuth[]> {
    const rows = await select(db).where(where).orderBy(asc(realAuths.submittedAt), asc(realAuths.id)).limit(2);
    return rows.map((row) => this.#opened(row));
  }

  #opened({ row, accountName, accountLocale, review, reviewer, decider }: Selected): RealAuth {
    return {
      ...row,
      accountName,
      accountLocale,
      first: review ? { by: reviewer ?? review.reviewerId, at: review.at, reason: review.reason } : undefined,
      decidedByName: decider ?? undefined,
      idCard: this.#parts.secrets.open(SEALED_FOR, row.idCard),
    };
  }
}

type Selected = Awaited<ReturnType<typeof select>>[number];

const select = (db: Sql) =>
  db
    .select({
      row: realAuths,
      accountName: accounts.name,
      accountLocale: accounts.locale,
      review: realAuthReviews,
      reviewer: firstReviewers.name,
      decider: deciders.name,
    })
    .from(realAuths)
    .innerJoin(accounts, eq(accounts.id, realAuths.accountId))
    .leftJoin(
      realAuthReviews,
      and(eq(realAuthReviews.realAuthId, realAuths.id), eq(realAuthReviews.submittedAt, realAuths.submittedAt)),
    )
    .leftJoin(firstReviewers, eq(firstReviewers.id, realAuthReviews.reviewerId))
    .leftJoin(deciders, eq(deciders.id, realAuths.decidedBy))
    .$dynamic();

const COLUMNS = { id: realAuths.id, submittedAt: realAuths.submittedAt };

/** The auditors' accounts, beside the submitter's. */
const firstReviewers = alias(accounts, 'first_reviewers');
const deciders = alias(accounts, 'deciders');

/** Reviews of what is submitted now: content that was sent again has none. */
const ofContent = ({ id, submittedAt }: Row) =>
  and(eq(realAuthReviews.realAuthId, id), eq(realAuthReviews.submittedAt, submittedAt));

async function nameOf(db: Sql, accountId: string | null): Promise<string | undefined> {
  if (accountId === null) return undefined;
  const [found] = await db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId));
  return found?.name;
}

/** Whether both belong to an organisation that is still there. */
async function areInOne(tx: Sql, one: string, other: string): Promise<boolean> {
  const theirs = tx
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(eq(memberships.accountId, other));
  const found = await tx
    .select({ id: memberships.organizationId })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(eq(memberships.accountId, one), isNull(organizations.deletedAt), inArray(memberships.organizationId, theirs)),
    )
    .limit(1);
  return found.length > 0;
}

/** Credits go to the person's own organisation; without one, to the first that they own. */
async function creditedIn(tx: Sql, accountId: string): Promise<string | undefined> {
  const [own] = await tx
    .select({ id: organizations.id })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner'), isNull(organizations.deletedAt)))
    .orderBy(sql`${organizations.personalOf} is distinct from ${accountId}`, asc(organizations.createdAt))
    .limit(1);
  return own?.id;
}

/** The number is of an ID card where the document is one. */
const documentOf = (wanted: RealAuthSubmission) =>
  'id_card' in wanted
    ? { document: 'idCard' as const, number: wanted.id_card, documentCountry: null, documentPicture: null }
    : {
        document: wanted.document,
        number: wanted.document_number,
        documentCountry: wanted.document_country,
        documentPicture: wanted.document_picture,
      };

const fieldsOf = (wanted: RealAuthSubmission) => {
  const ofCard = 'id_front_picture' in wanted ? wanted : undefined;
  const pictures = {
    idFrontPicture: ofCard?.id_front_picture ?? null,
    idBackPicture: ofCard?.id_back_picture ?? null,
  };
  return wanted.type === REAL_AUTH_TYPE.personal
    ? {
        ...pictures,
        name: wanted.name,
        phone: wanted.phone,
        enterpriseName: null,
        creditCode: null,
        contactName: null,
        licensePicture: null,
      }
    : {
        ...pictures,
        name: wanted.legal_name,
        phone: null,
        enterpriseName: wanted.enterprise_name,
        creditCode: wanted.credit_code,
        contactName: wanted.contact_name,
        licensePicture: wanted.license_picture,
      };
};

const PICTURES = ['license_picture', 'id_front_picture', 'id_back_picture', 'document_picture'] as const;

/** By the name of their field. */
const picturesOf = (wanted: RealAuthSubmission): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wanted).filter((field): field is [string, string] => PICTURES.some((name) => name === field[0])),
  );
