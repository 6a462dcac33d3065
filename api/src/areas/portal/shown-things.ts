// What everybody is shown of one sort, models or datasets: read at most every two seconds, searched and narrowed in memory.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@gantry/kube/clock.ts';
import { type CursorPage, cursorSlice } from '../../platform/db/key-pages.ts';
import { type FacetValues, narrowed } from '../../platform/db/memory-facets.ts';
import { excerptOf, plainOf } from './plain-markdown.ts';
import { TextIndex } from './text-index.ts';

/** The fields that both sorts have. */
export interface ShownThing {
  id: string;
  name: string;
  tags: readonly string[];
  license: string | null;
  downloads: number;
  update_time: string;
}

export interface ShownParts<Thing extends ShownThing> {
  clock: Clock;
  /** All that everybody is shown. */
  read(): Promise<readonly Thing[]>;
  /** The beginnings of their cards, by id. */
  cards(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface Asked extends CursorPage {
  search?: string | undefined;
}

type Order<Thing> = (a: Thing, b: Thing) => number;

const KEPT_MS = 2_000;
const WEIGHTS = { name: 6, tags: 3, card: 1 };
const MOST_SUMMARY = 160;
/** After so many cards others get their turn. */
const AT_ONCE = 20;

interface Snapshot<Thing> {
  things: readonly Thing[];
  summaries: ReadonlyMap<string, string>;
}

export class ShownThings<Thing extends ShownThing> {
  readonly #parts: ShownParts<Thing>;
  readonly #index = new TextIndex();
  readonly #cards = new Map<string, { stamp: string; text: string }>();
  #known: { at: number; snapshot: Promise<Snapshot<Thing>> } | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(parts: ShownParts<Thing>) {
    this.#parts = parts;
  }

  async count(): Promise<number> {
    return (await this.#snapshot()).things.length;
  }

  /** Throws cursor_rule. Without an order the best comes first, and without a search what is downloaded most. */
  async page<Facet extends string>(
    asked: Asked,
    values: FacetValues<Thing, Facet>,
    chosen: Partial<Record<NoInfer<Facet>, string | undefined>>,
    order: Order<Thing> | undefined,
  ) {
    const { things, summaries } = await this.#snapshot();
    const { hits, rangesIn } = await this.#index.find(asked.search ?? '');
    const byId = new Map(things.map((thing) => [thing.id, thing]));
    const found = hits.flatMap(({ id }) => byId.get(id) ?? []);
    const { items, facets } = narrowed(found, values, chosen);
    const isBest = order === undefined && hits.some(({ score }) => score > 0);
    const sorted = isBest ? items : items.toSorted(order ?? byDownloads);
    const { items: page, total, cursor } = cursorSlice(sorted, asked, ({ id }) => id);
    return {
      items: page.map((thing) => ({
        ...thing,
        summary: summaries.get(thing.id) ?? '',
        name_ranges: rangesIn(thing.name),
      })),
      total,
      extra: { cursor, facets },
    };
  }

  /** Reads follow each other: they change the same index. One that fails is forgotten. */
  #snapshot(): Promise<Snapshot<Thing>> {
    const now = this.#parts.clock.now();
    if (this.#known && now >= this.#known.at && now - this.#known.at < KEPT_MS) return this.#known.snapshot;
    const snapshot = this.#reading.then(() => this.#read());
    this.#reading = snapshot.catch(() => {
      this.#known = undefined;
    });
    this.#known = { at: now, snapshot };
    return snapshot;
  }

  async #read(): Promise<Snapshot<Thing>> {
    const { read, cards } = this.#parts;
    const things = await read();
    const stampOf = ({ name, update_time }: Thing) => `${update_time} ${name}`;
    const stale = things.filter((thing) => this.#cards.get(thing.id)?.stamp !== stampOf(thing));
    const begun = stale.length > 0 ? await cards(stale.map(({ id }) => id)) : new Map<string, string>();
    for (const [at, thing] of stale.entries()) {
      this.#cards.set(thing.id, { stamp: stampOf(thing), text: plainOf(begun.get(thing.id) ?? '') });
      if (at % AT_ONCE === 0) await nextTurn();
    }
    const there = new Set(things.map(({ id }) => id));
    for (const id of this.#cards.keys()) if (!there.has(id)) this.#cards.delete(id);
    await this.#index.keep(
      things.map((thing) => ({
        id: thing.id,
        stamp: stampOf(thing),
        fields: () => [
          { text: thing.name, weight: WEIGHTS.name },
          { text: `${thing.tags.join(' ')} ${thing.license ?? ''}`, weight: WEIGHTS.tags },
          { text: this.#cards.get(thing.id)?.text ?? '', weight: WEIGHTS.card },
        ],
      })),
    );
    return {
      things,
      summaries: new Map([...this.#cards].map(([id, { text }]) => [id, excerptOf(text, 0, MOST_SUMMARY)])),
    };
  }
}

const byId: Order<ShownThing> = (a, b) => (a.id < b.id ? -1 : 1);
const byDownloads: Order<ShownThing> = (a, b) => b.downloads - a.downloads || byId(a, b);

/** The orders that both sorts have; undefined: the best first. */
export const ORDERS = {
  relevance: undefined,
  downloads: byDownloads,
  update_time: (a: ShownThing, b: ShownThing) =>
    a.update_time === b.update_time ? byId(a, b) : a.update_time < b.update_time ? 1 : -1,
  name: (a: ShownThing, b: ShownThing) => (a.name === b.name ? byId(a, b) : a.name < b.name ? -1 : 1),
} as const;

/** The most first; those without a number last. */
export const byMost =
  <Thing extends ShownThing>(of: (thing: Thing) => number | null): Order<Thing> =>
  (a, b) =>
    (of(b) ?? -1) - (of(a) ?? -1) || byId(a, b);
