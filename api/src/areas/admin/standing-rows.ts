// Nodes and storage as the operators' console lists them: rows that another room makes, paged here.

import type { ComputingRow } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';

export interface StandingParts {
  nodes: { rows(): ComputingRow<'nodes'>[] };
  storage: {
    orphans(): Promise<ComputingRow<'orphans'>[]>;
    fill(): Promise<ComputingRow<'storage-fill'>[]>;
  };
}

export class StandingRows {
  readonly #parts: StandingParts;

  constructor(parts: StandingParts) {
    this.#parts = parts;
  }

  nodes(query: AdminQuery): Page<ComputingRow<'nodes'>> {
    return paged(this.#parts.nodes.rows(), query, ({ id, model, address, organization_id, host_id }) => [
      ...[id, model, organization_id, host_id],
      // With or without a port.
      ...(address === null ? [] : [address, `${address}:`]),
    ]);
  }

  async orphans(query: AdminQuery): Promise<Page<ComputingRow<'orphans'>>> {
    return paged(await this.#parts.storage.orphans(), query, ({ name, namespace }) => [name, namespace]);
  }

  async fill(query: AdminQuery): Promise<Page<ComputingRow<'storage-fill'>>> {
    return paged(await this.#parts.storage.fill(), query, ({ storage_class, node }) => [storage_class, node]);
  }
}

const paged = <Row extends { id: string }>(
  rows: readonly Row[],
  query: AdminQuery,
  texts: (row: Row) => readonly (string | null)[],
): Page<Row> =>
  pageInMemory(
    rows,
    query,
    {
      field: (row, name) => row[name as keyof Row] as string | number | boolean | null,
      isSought: (row, sought) =>
        texts(row).some((text) => {
          const known = text?.toLowerCase() ?? '';
          return known !== '' && (known.includes(sought) || (known.endsWith(':') && sought.startsWith(known)));
        }),
    },
    (row) => row,
  );
