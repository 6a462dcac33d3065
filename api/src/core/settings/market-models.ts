// GPU models as the market shows them: which, in which order, with which note. Stock is the cluster's; a model that is hidden still runs
// where it is used.

import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';
import type { Database } from '../../platform/db/open.ts';
import { marketModels } from '../../platform/db/schema/operation.ts';
import type { MarketModel, RunTimeState, Texts } from './run-time-state.ts';
import { isBlank } from './settings.ts';

export interface MarketModelParts {
  db: Database;
  clock: Clock;
  state: Pick<RunTimeState<object>, 'models' | 'refresh'>;
  /** All that the cluster has, hidden ones too. */
  specs(): readonly Pick<GpuSpecView, 'gpu_type' | 'nodes' | 'total' | 'free'>[];
}

export interface ModelWish {
  is_shown?: boolean | undefined;
  position?: number | null | undefined;
  note?: Texts | null | undefined;
}

type Row = AdminRow<'gpu-models'>;

export class MarketModels {
  readonly #parts: MarketModelParts;

  constructor(parts: MarketModelParts) {
    this.#parts = parts;
  }

  page(query: AdminQuery): Page<Row> {
    return pageInMemory(
      this.#rows(),
      query,
      {
        field: (row, name) => (row as unknown as Record<string, string | number | boolean | null>)[name],
        isSought: ({ id, name }, sought) => id.toLowerCase().includes(sought) || name.toLowerCase().includes(sought),
      },
      (row) => row,
    );
  }

  /** Changes only the given fields. Throws not_found. */
  async change(id: string, wish: ModelWish, by: string): Promise<void> {
    const { db, clock, state } = this.#parts;
    const before = this.#rows().find((row) => row.id === id);
    if (!before) throw problem('not_found', { what: id });
    const set = {
      isShown: wish.is_shown ?? before.is_shown,
      position: wish.position === undefined ? before.position : wish.position,
      note: isBlank(wish.note) ? null : (wish.note ?? before.note),
      changedAt: new Date(clock.now()),
      changedBy: by,
    };
    await db.sql
      .insert(marketModels)
      .values({ model: id, ...set })
      .onConflictDoUpdate({ target: marketModels.model, set });
    await state.refresh();
  }

  /** A model whose nodes are gone keeps what staff decided. */
  #rows(): Row[] {
    const { specs, state } = this.#parts;
    const groups = Map.groupBy(specs(), ({ gpu_type }) => gpu_type);
    const models = new Set([...groups.keys(), ...state.models.keys()]);
    return [...models].map((model) => {
      const found = state.models.get(model);
      const all = groups.get(model) ?? [];
      const sum = (of: 'nodes' | 'total' | 'free') => all.reduce((total, one) => total + one[of], 0);
      return {
        id: model,
        name: gpuName(model),
        is_shown: found?.isShown ?? true,
        position: found?.position ?? null,
        note: found?.note ?? null,
        nodes: sum('nodes'),
        gpus: sum('total'),
        free: sum('free'),
        changed_at: found?.changedAt.toISOString() ?? null,
        changed_by: found?.changedBy ?? null,
      };
    });
  }
}

/** Without hidden models; those with a place first, the others after them as they were. */
export function onMarket<Spec extends { gpu_type: string }>(
  specs: readonly Spec[],
  models: ReadonlyMap<string, Pick<MarketModel, 'isShown' | 'position' | 'note'>>,
): (Spec & { note: Texts | null })[] {
  const placeOf = ({ gpu_type }: Spec) => models.get(gpu_type)?.position ?? Number.POSITIVE_INFINITY;
  return specs
    .filter(({ gpu_type }) => models.get(gpu_type)?.isShown ?? true)
    .map((spec) => ({ ...spec, note: models.get(spec.gpu_type)?.note ?? null }))
    .sort((a, b) => {
      const [first, second] = [placeOf(a), placeOf(b)];
      return first === second ? 0 : first < second ? -1 : 1;
    });
}
