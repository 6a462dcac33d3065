// Everything that begins with what somebody typed, over all menus that they have. Tables are asked through indexes of prefixes, so
// that a hundred thousand accounts cost what ten cost; objects are looked through in the caches, where there are thousands.

import type { SearchResult } from '@gantry/contract/areas/admin/admin-home.ts';
import { TRANSACTION_TYPES } from '@gantry/contract/billing/bill.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import { shownMoney } from '@gantry/contract/fields/shown-money.ts';
import { ADMIN_RESOURCES, type AdminResourceName } from '@gantry/contract/http/admin.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { instancePodName, organizationOf } from '@gantry/contract/names.ts';
import type { AdminMenu } from '@gantry/contract/roles.ts';
import { desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { creditNotes, invoices } from '../../platform/db/schema/invoices.ts';
import { bills } from '../../platform/db/schema/ledger.ts';
import { payments } from '../../platform/db/schema/payments.ts';
import { accounts, organizations } from '../../platform/db/schema/people.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import { phaseSeen, type SeenObject } from './seen-states.ts';

/** The most rows of one resource; one more is looked for, to show that there is more. */
const MOST = 5;
const LIMIT = MOST + 1;

type Found = SearchResult['groups'][number]['items'][number];

interface Asked {
  q: string;
  lower: string;
  /** For LIKE; without case. */
  prefix: string;
  language: Language;
}

export interface SearchParts {
  db: Pick<Database, 'sql'>;
  cache: Pick<WatchCache, 'list'>;
  nodes(): readonly KubeObject[];
}

export class Search {
  readonly #parts: SearchParts;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** Groups in the order of `ADMIN_RESOURCES`; those of menus that the reader has not, are not looked for. */
  async find(typed: string, may: (menu: AdminMenu) => boolean, language: Language): Promise<SearchResult> {
    const q = typed.trim();
    const lower = q.toLowerCase();
    const asked: Asked = { q, lower, prefix: `${lower.replaceAll(/[\\%_]/g, '\\$&')}%`, language };
    const names = (Object.keys(ADMIN_RESOURCES) as AdminResourceName[]).filter(
      (name) => Object.hasOwn(this.#finders, name) && may(ADMIN_RESOURCES[name].menu),
    );
    const groups = await Promise.all(
      names.map(async (resource) => {
        const items = (await this.#finders[resource]?.(asked)) ?? [];
        return { resource, items: items.slice(0, MOST), has_more: items.length > MOST };
      }),
    );
    return { groups: groups.filter(({ items }) => items.length > 0) };
  }

  get #sql() {
    return this.#parts.db.sql;
  }

  readonly #finders: Partial<Record<AdminResourceName, (asked: Asked) => Promise<Found[]> | Found[]>> = {
    users: (asked) => this.#users(asked),
    organizations: (asked) => this.#organizations(asked),
    hosts: (asked) => this.#objects(gpuHost, asked),
    instances: (asked) => this.#objects(gpuInstance, asked),
    disks: (asked) => this.#objects(dataDisk, asked),
    images: (asked) => this.#objects(image, asked),
    snapshots: (asked) => this.#objects(snapshot, asked),
    nodes: (asked) => this.#nodes(asked),
    transactions: (asked) => this.#transactions(asked),
    payments: (asked) => this.#payments(asked),
    invoices: (asked) => this.#invoices(asked),
    'credit-notes': (asked) => this.#creditNotes(asked),
    'audit-log': (asked) => this.#calls(asked),
  };

  #users({ lower, prefix }: Asked): Promise<Found[]> {
    const phones = phonesOf(lower);
    const read = async (where: SQL | undefined) =>
      (
        await this.#sql
          .select({ id: accounts.id, name: accounts.name, email: accounts.email, phone: accounts.phone })
          .from(accounts)
          .where(where)
          .limit(LIMIT)
      ).map(({ id, name, email, phone }) => ({
        id,
        title: name,
        text: [email, phone, id].filter((one) => one !== null).join(' · '),
      }));
    return firstOf(read, [
      or(
        eq(accounts.id, lower),
        sql`lower(${accounts.name}) = ${lower}`,
        sql`lower(${accounts.email}) = ${lower}`,
        ...phones.map((phone) => eq(accounts.phone, phone)),
      ),
      begins(accounts.id, prefix),
      begins(sql`lower(${accounts.name})`, prefix),
      begins(sql`lower(${accounts.email})`, prefix),
      ...phones.map((phone) => begins(accounts.phone, `${phone}%`)),
    ]);
  }

  #organizations({ lower, prefix }: Asked): Promise<Found[]> {
    const read = async (where: SQL | undefined) =>
      (
        await this.#sql
          .select({ id: organizations.id, name: organizations.name })
          .from(organizations)
          .where(where)
          .limit(LIMIT)
      ).map(({ id, name }) => ({ id, title: name, text: id }));
    return firstOf(read, [
      or(eq(organizations.id, lower.replace(/^org-/, '')), sql`lower(${organizations.name}) = ${lower}`),
      begins(organizations.id, prefix),
      begins(sql`lower(${organizations.name})`, prefix),
    ]);
  }

  #transactions({ q, lower, prefix, language }: Asked): Promise<Found[]> {
    const read = async (where: SQL | undefined) =>
      (await this.#sql.select().from(bills).where(where).limit(LIMIT)).map((bill) => ({
        id: bill.id,
        title: bill.id,
        text: [
          TRANSACTION_TYPES[bill.type][language],
          shownMoney(moneyText(bill.total), bill.currency),
          bill.organizationId,
          bill.at.toISOString().slice(0, 10),
        ].join(' · '),
      }));
    return firstOf(read, [
      or(eq(bills.id, lower), eq(bills.reference, q)),
      begins(bills.id, prefix),
      begins(bills.reference, likeOf(q)),
    ]);
  }

  #payments({ q, lower, prefix }: Asked): Promise<Found[]> {
    const read = async (where: SQL | undefined) =>
      (await this.#sql.select().from(payments).where(where).limit(LIMIT)).map((one) => ({
        id: one.id,
        title: one.providerId ?? one.id,
        text: [shownMoney(moneyText(one.amount), one.currency), one.organizationId, one.state].join(' · '),
      }));
    return firstOf(read, [
      or(eq(payments.id, lower), eq(payments.providerId, q)),
      begins(payments.id, prefix),
      begins(payments.providerId, likeOf(q)),
    ]);
  }

  /** By the number as it is printed, or without its zeros. */
  async #invoices({ lower }: Asked): Promise<Found[]> {
    const number = numberIn(lower);
    const found = await this.#sql
      .select({
        id: invoices.id,
        number: invoices.number,
        organizationId: invoices.organizationId,
        month: invoices.month,
        total: invoices.total,
        currency: invoices.currency,
      })
      .from(invoices)
      .where(number === undefined ? eq(invoices.id, lower) : or(eq(invoices.id, lower), eq(invoices.number, number)))
      .limit(LIMIT);
    return found.map((one) => ({
      id: one.id,
      title: printed(one.number),
      text: [one.month, shownMoney(moneyText(one.total), one.currency), one.organizationId].join(' · '),
    }));
  }

  async #creditNotes({ lower }: Asked): Promise<Found[]> {
    const number = numberIn(lower.replace(/^cn-?/, ''));
    const found = await this.#sql
      .select()
      .from(creditNotes)
      .where(
        number === undefined
          ? eq(creditNotes.id, lower)
          : or(eq(creditNotes.id, lower), eq(creditNotes.number, number)),
      )
      .limit(LIMIT);
    return found.map((one) => ({
      id: one.id,
      title: `CN-${printed(one.number)}`,
      text: [shownMoney(moneyText(one.amount), one.currency), one.organizationId, one.billId].join(' · '),
    }));
  }

  /** By the request's id, which answers and log lines carry. */
  async #calls({ q }: Asked): Promise<Found[]> {
    const found = await this.#sql
      .select({ id: auditLog.id, at: auditLog.at, action: auditLog.action, who: auditLog.actorName })
      .from(auditLog)
      // One that the client chose stands there with a mark before it.
      .where(inArray(auditLog.requestId, [q, `~${q}`]))
      .orderBy(desc(auditLog.id))
      .limit(LIMIT);
    return found.map(({ id, at, action, who }) => ({
      id: `${id}`,
      title: action,
      text: [at.toISOString(), who ?? ''].filter((one) => one !== '').join(' · '),
    }));
  }

  /** By name or address. */
  #nodes({ lower }: Asked): Found[] {
    const bare = withoutPort(lower);
    return this.#parts
      .nodes()
      .map((object) => ({ name: object.metadata.name, addresses: addressesOf(object) }))
      .filter(({ name, addresses }) => name.toLowerCase().startsWith(lower) || addresses.includes(bare))
      .sort((a, b) => Number(b.name === lower) - Number(a.name === lower) || (a.name < b.name ? -1 : 1))
      .slice(0, LIMIT)
      .map(({ name, addresses }) => ({ id: name, title: name, text: addresses.join(' · ') }));
  }

  #objects(facts: KindFacts, { lower, language }: Asked): Found[] {
    const found: [rank: number, Found][] = [];
    for (const object of this.#parts.cache.list<SeenObject>(facts)) {
      const rank = rankOf(object, lower);
      if (rank !== undefined) found.push([rank, shown(facts, object, language)]);
    }
    return found
      .sort(([a, one], [b, other]) => a - b || (one.id < other.id ? -1 : 1))
      .slice(0, LIMIT)
      .map(([, item]) => item);
  }
}

/** 0: exactly so, 1: an address or a name begins so, 2: it is somewhere in the name that people read. */
function rankOf({ metadata, spec = {}, status = {} }: SeenObject, lower: string): number | undefined {
  const { name, namespace = '' } = metadata;
  const { run, podIP, address, node, lanAddress, nodes, files } = status as Partial<Record<string, unknown>>;
  const seq = (run as { seq?: number } | undefined)?.seq;
  const exact = [
    name,
    `${namespace}.${name}`,
    `${namespace}/${name}`,
    podIP,
    address,
    node,
    lanAddress,
    withoutPort(`${(files as { address?: unknown } | undefined)?.address ?? ''}`),
    metadata.uid,
    ...(Array.isArray(nodes) ? nodes.map((one) => (one as { name?: unknown } | null)?.name) : []),
    ...(seq === undefined ? [] : [instancePodName(name, seq)]),
  ].flatMap((one) => (typeof one === 'string' && one !== '' ? [one.toLowerCase()] : []));
  const earlier = /^(.+)-\d+$/.exec(lower)?.[1];
  // A log line may name the Pod of a run that is over.
  if (
    exact.includes(lower) ||
    exact.includes(withoutPort(lower)) ||
    (earlier !== undefined && earlier === name && seq !== undefined)
  )
    return 0;
  if (exact.some((one) => one.startsWith(lower))) return 1;
  const { displayName } = spec;
  return typeof displayName === 'string' && displayName.toLowerCase().includes(lower) ? 2 : undefined;
}

function shown(facts: KindFacts, object: SeenObject, language: Language): Found {
  const { metadata, spec = {}, status = {} } = object;
  const { name, namespace = '' } = metadata;
  const phase = phaseSeen(facts, object);
  const displayName = typeof spec.displayName === 'string' ? spec.displayName : name;
  const { node, podIP, lanAddress } = status;
  return {
    id: `${namespace}.${name}`,
    title: displayName,
    text: [
      name,
      organizationOf(namespace) ?? namespace,
      facts.phases[phase]?.[language] ?? phase,
      ...[node, podIP ?? lanAddress].filter((one) => typeof one === 'string'),
    ].join(' · '),
  };
}

/**
 * Exact matches come first, or they would be lost among thousands with the same beginning. One statement per column: each is answered from
 * its index, where all in one would read the table.
 */
async function firstOf(
  read: (where: SQL | undefined) => Promise<Found[]>,
  wheres: readonly (SQL | undefined)[],
): Promise<Found[]> {
  const found = new Map<string, Found>();
  for (const where of wheres) {
    if (found.size >= LIMIT) break;
    for (const item of await read(where)) if (!found.has(item.id)) found.set(item.id, item);
  }
  return [...found.values()];
}

/** `10.0.0.7:8888` → `10.0.0.7`; an IPv6 address alone stays. */
const withoutPort = (address: string): string => /^([^:]+):\d+$/.exec(address)?.[1] ?? address;

const addressesOf = (object: KubeObject): string[] =>
  ((object as { status?: { addresses?: { address?: string }[] } }).status?.addresses ?? []).flatMap(
    ({ address }) => address ?? [],
  );

const begins = (column: PgColumn | SQL, prefix: string): SQL => sql`${column} like ${prefix}`;
const likeOf = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** As stored, with the country; eleven digits alone are a number of mainland China. */
const phonesOf = (typed: string): string[] => {
  const digits = typed.replaceAll(/[\s().-]/g, '');
  if (!/^\+?\d{3,15}$/.test(digits)) return [];
  return digits.startsWith('+') ? [digits] : [`+${digits}`, `+86${digits}`];
};

const MOST_NUMBER = 2_147_483_647;

const numberIn = (text: string): number | undefined => {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return number <= MOST_NUMBER ? number : undefined;
};

const printed = (number: number): string => `${number}`.padStart(8, '0');
