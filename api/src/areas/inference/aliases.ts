// Names by which models are called: `<organisation>/<deployment>`, `<deployment>` within one's own, `<deployment>:<adapter>`, and
// aliases that spread requests over several deployments.
import type { TokenPrices } from '../../core/billing/tokens/token-charges.ts';
import { dearer } from './money.ts';
import type { Model, Models } from './serving.ts';

/** One of an alias's deployments. Of weight 0: only where no other one answers. */
export interface Target {
  deployment: string;
  weight: number;
}

export interface Alias {
  targets: readonly Target[];
  createdAt: number;
}

/** The aliases of one organisation, by name. */
export type AliasesOf = (organization: string) => ReadonlyMap<string, Alias>;

export class Route {
  /** `<organisation>/<name>`, however the client wrote it. */
  readonly address: string;
  /** The adapter that is asked for, in place of the model itself. */
  readonly adapter: string | undefined;
  /** It is called by this name for several. */
  readonly alias: string | undefined;
  readonly #weighted: readonly { model: Model; weight: number }[];

  constructor(
    address: string,
    weighted: readonly { model: Model; weight: number }[],
    { adapter, alias }: { adapter?: string; alias?: string } = {},
  ) {
    this.address = address;
    this.adapter = adapter;
    this.alias = alias;
    this.#weighted = weighted;
  }

  get models(): readonly Model[] {
    return this.#weighted.map(({ model }) => model);
  }

  /** One by chance, as the weights say, before the others: those are asked where it does not answer. `chance` is below 1. */
  order(chance: number): Model[] {
    const sum = this.#weighted.reduce((all, { weight }) => all + weight, 0);
    let left = chance * sum;
    const found = this.#weighted.findIndex(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    const first = Math.max(0, found);
    const others = this.#weighted.filter((_one, at) => at !== first).sort((a, b) => b.weight - a.weight);
    return [this.#weighted[first], ...others].flatMap((one) => (one ? [one.model] : []));
  }

  /** Whichever answers, it costs no more. */
  mostExpensive(priceOf: (priced: string) => TokenPrices | undefined): TokenPrices | undefined {
    return this.models.map(({ facts }) => priceOf(facts.priced)).reduce(dearer, undefined);
  }
}

export class Routes {
  readonly #models: Models;
  readonly #aliasesOf: AliasesOf;

  constructor(models: Models, aliasesOf: AliasesOf = () => new Map()) {
    this.#models = models;
    this.#aliasesOf = aliasesOf;
  }

  /** Undefined where there is none, or it is another organisation's. */
  find(organization: string, name: string): Route | undefined {
    const address = this.addressOf(organization, name);
    if (address === undefined) return undefined;
    const own = address.slice(organization.length + 1);
    const colon = own.indexOf(':');
    const adapter = colon < 0 ? undefined : own.slice(colon + 1);
    const model = this.#models.get(organization, colon < 0 ? own : own.slice(0, colon));
    if (adapter !== undefined)
      return model?.facts.adapters.includes(adapter)
        ? new Route(address, [{ model, weight: 1 }], { adapter })
        : undefined;
    if (model) return new Route(address, [{ model, weight: 1 }]);
    const targets = this.#aliasesOf(organization).get(own)?.targets ?? [];
    const weighted = targets.flatMap(({ deployment, weight }) => {
      const one = this.#models.get(organization, deployment);
      return one ? [{ model: one, weight }] : [];
    });
    return weighted.length > 0 ? new Route(address, weighted, { alias: own }) : undefined;
  }

  /** Undefined for another organisation's. */
  addressOf(organization: string, name: string): string | undefined {
    if (!name.includes('/')) return `${organization}/${name}`;
    return name.startsWith(`${organization}/`) ? name : undefined;
  }

  /** The models that an organisation can call, by name. `label`: what people call one; an adapter stands after its deployment. */
  namesOf(organization: string): { id: string; label: string; createdAt: number }[] {
    const models = this.#models
      .of(organization)
      .flatMap(({ facts: { name, displayName = name, adapters, createdAt } }) => [
        { name, label: displayName, createdAt },
        ...adapters.map((adapter) => ({ name: `${name}:${adapter}`, label: `${displayName}: ${adapter}`, createdAt })),
      ]);
    const names = new Set(models.map(({ name }) => name));
    const aliases = [...this.#aliasesOf(organization)]
      .filter(([name]) => !names.has(name) && this.find(organization, name))
      .map(([name, { createdAt }]) => ({ name, label: name, createdAt }));
    return [...models, ...aliases].map(({ name, ...more }) => ({ id: `${organization}/${name}`, ...more }));
  }
}
