// The model library for visitors: what staff show to everybody, and on which cards of the market each model fits at which price.

import type { DeploymentFitView, ModelDetailView, ModelView } from '@gantry/contract/areas/models/models.ts';
import {
  type LibraryFitView,
  type LibraryModelDetailView,
  type LibraryModelQuery,
  type LibraryModelView,
  sizeClassOf,
} from '@gantry/contract/areas/portal/library.ts';
import { modelTask } from '@gantry/contract/areas/portal/model-task.ts';
import type { Use } from '@gantry/contract/billing/resources.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { ModelTask } from '@gantry/contract/models/engines.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { ViewPrices } from '../../core/billing/prices/view-prices.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Market } from './market.ts';
import { excerptOf, plainOf } from './plain-markdown.ts';
import { byMost, ORDERS, ShownThings } from './shown-things.ts';
import { VISITOR } from './visitor.ts';

export interface ModelLibraryParts {
  clock: Clock;
  models: {
    shown(caller: Caller): Promise<ModelView[]>;
    shownCards(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
    get(caller: Caller, id: string, language: Language): Promise<ModelDetailView>;
  };
  deployments: {
    fitsOn(
      caller: Caller,
      spec: Wish,
      gpus: readonly string[],
      language: Language,
    ): Promise<ReadonlyMap<string, { fit: DeploymentFitView; uses: readonly Use[] }>>;
  };
  market: Pick<Market, 'counted'>;
  prices: Pick<ViewPrices, 'offer'>;
  /** Where deployments are. */
  region: string;
}

/** As a form that is left empty. */
const CHOSEN = { engine: 'auto', setup: 'Automatic' } as const;
type Wish = { model: string; version: string; task: ModelTask } & typeof CHOSEN;

const WITHOUT_SEARCH = { summary: '', name_ranges: [] };
const FACETS = {
  task: ({ task }: Seen) => [task],
  size_class: ({ size_class }: Seen) => [size_class],
  license: ({ license }: Seen) => [license],
  language: ({ language }: Seen) => language,
  structure: ({ structure }: Seen) => [structure],
};
type Seen = Omit<LibraryModelView, 'summary' | 'name_ranges'>;

export class ModelLibrary {
  readonly #parts: ModelLibraryParts;
  readonly #shown: ShownThings<Seen>;

  constructor(parts: ModelLibraryParts) {
    this.#parts = parts;
    const { clock, models } = parts;
    this.#shown = new ShownThings({
      clock,
      read: async () => (await models.shown(VISITOR)).map(seen),
      cards: (ids) => models.shownCards(ids),
    });
  }

  count(): Promise<number> {
    return this.#shown.count();
  }

  page({ order_by, ...query }: LibraryModelQuery) {
    const order =
      order_by === 'parameters'
        ? byMost<Seen>(({ parameters }) => parameters ?? null)
        : ORDERS[order_by as keyof typeof ORDERS];
    return this.#shown.page(query, FACETS, query, order);
  }

  /** Throws not_found for one that not everybody is shown. */
  async read(id: string, language: Language): Promise<LibraryModelDetailView> {
    const model = await this.#parts.models.get(VISITOR, id, language);
    const view = seen(model);
    const version = model.versions.find(({ name }) => name === model.latest_version);
    return {
      ...{ ...WITHOUT_SEARCH, ...view, summary: excerptOf(plainOf(model.card.slice(0, 4_000)), 0, 160) },
      card: model.card,
      ...{ weight_bytes: model.weight_bytes, kv_token_bytes: model.kv_token_bytes },
      ...{ repository: version?.repository ?? null, revision: version?.revision ?? null },
      files: (version?.files ?? []).map(({ path, size_bytes, sha256 }) => ({ path, size_bytes, sha256 })),
      fits: version
        ? await this.#fits({ model: id, version: version.name, task: view.task ?? 'Generate', ...CHOSEN }, language)
        : [],
    };
  }

  /** Only models of the market: one that is hidden is on offer to nobody. */
  async #fits(spec: Wish, language: Language): Promise<LibraryFitView[]> {
    const { deployments, market, prices, region } = this.#parts;
    const { models } = market.counted();
    const gpus = models.map(({ id }) => id);
    const found = await deployments.fitsOn(VISITOR, spec, gpus, language);
    return models.flatMap(({ id, name, free }) => {
      const one = found.get(id);
      if (!one) return [];
      const { fits, message, gpu, nodes_per_replica, engine, context_length, arithmetic } = one.fit;
      return {
        ...{ gpu: id, name, fits, message, gpus: gpu?.count ?? null, nodes: nodes_per_replica, engine },
        ...{ context_length, arithmetic: [...arithmetic], free },
        price: fits ? prices.offer(one.uses, 'container_rent', region).hour : null,
      };
    });
  }
}

const seen = (model: ModelView): Seen => ({
  ...{ id: model.id, name: model.name, task: modelTask(model) },
  size_class: model.parameters === null ? null : sizeClassOf(model.parameters),
  ...{ license: model.license, language: [...model.language], tags: [...model.tags] },
  ...{ structure: model.structure, format: model.format, quantisation: model.quantisation },
  ...{ parameters: model.parameters, context_length: model.context_length, size_bytes: model.size_bytes },
  ...{ downloads: model.downloads, version: model.latest_version, update_time: model.update_time },
});
