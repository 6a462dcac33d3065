// Objects of all organisations, as the operators' console lists them, from the caches.
import type { CommonStatus, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import type { WatchCache } from '../kube/watch-cache.ts';
import type { Page } from './pages.ts';

type Row = AdminRow<'instances'>;
type Seen = KubeObject & { spec?: Record<string, unknown>; status?: CommonStatus & Record<string, unknown> };

export class KindRows {
  readonly #cache: Pick<WatchCache, 'get' | 'list'>;

  constructor(cache: Pick<WatchCache, 'get' | 'list'>) {
    this.#cache = cache;
  }

  page(facts: KindFacts, { sort: [field, order], range: [first, last], filter }: AdminQuery): Page<Row> {
    const fits = Object.entries(filter)
      .filter(([, wanted]) => wanted !== undefined)
      .map(
        ([name, wanted]) =>
          (row: Row) =>
            fitsIn(row, name, wanted),
      );
    const direction = order === 'DESC' ? -1 : 1;
    const rows = this.#cache
      .list<Seen>(facts)
      .map((object) => rowOf(facts, object))
      .filter((row) => fits.every((one) => one(row)))
      .sort((a, b) => direction * compare(fieldOf(a, field), fieldOf(b, field)) || compare(a.id, b.id));
    return { items: rows.slice(first, last + 1), total: rows.length };
  }

  one(facts: KindFacts, id: string): Row {
    const dot = id.indexOf('.');
    const found = dot > 0 ? this.#cache.get<Seen>(facts, id.slice(0, dot), id.slice(dot + 1)) : undefined;
    if (!found) throw problem('not_found', { what: id });
    return rowOf(facts, found);
  }

  organization(id: string): { phase: string; quota: Record<string, number> } {
    const found = this.#cache.get<Organization>(organization, undefined, id);
    if (!found) return { phase: 'preparing', quota: {} };
    return { phase: organization.phaseInView(found), quota: { ...found.spec.quota } };
  }
}

const NAMESPACE_OF_ORGANIZATION = /^org-/;

/** A name alone is not one of the platform's: the namespace comes before it. Variables hold tenants' passwords: they stay theirs. */
function rowOf(facts: KindFacts, { metadata, spec: { env: _, ...spec } = {}, status = {} }: Seen): Row {
  const { name, namespace = '', creationTimestamp = '' } = metadata;
  return {
    id: `${namespace}.${name}`,
    organization_id: namespace.replace(NAMESPACE_OF_ORGANIZATION, ''),
    name,
    display_name: typeof spec.displayName === 'string' ? spec.displayName : name,
    phase: facts.phaseInView({ metadata, spec, status } as never),
    reason: status.reason ?? null,
    created_at: creationTimestamp,
    spec,
    status,
  };
}

const fieldOf = (row: Row, field: string): unknown => (row as Record<string, unknown>)[field];

function fitsIn(row: Row, field: string, wanted: unknown): boolean {
  if (field === 'q') {
    const sought = String(wanted).toLowerCase();
    return [row.name, row.display_name, row.organization_id].some((text) => text.toLowerCase().includes(sought));
  }
  const value = fieldOf(row, field);
  return Array.isArray(wanted) ? wanted.includes(value) : value === wanted;
}

const compare = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0);
