// Nodes and storage as the operators' console lists them: rows that another room makes, paged here.

import type { ComputingRow } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { StaffNodes } from '../../core/kinds/staff/staff-nodes.ts';
import type { StorageRows } from '../../core/kinds/staff/storage-rows.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';

export class InfrastructureRows {
  readonly #nodes: Pick<StaffNodes, 'rows'>;
  readonly #storage: Pick<StorageRows, 'orphans' | 'fill'>;

  constructor(nodes: Pick<StaffNodes, 'rows'>, storage: Pick<StorageRows, 'orphans' | 'fill'>) {
    this.#nodes = nodes;
    this.#storage = storage;
  }

  nodes(query: AdminQuery): Page<ComputingRow<'nodes'>> {
    return paged(this.#nodes.rows(), query, ({ id, model, address, organization_id, host_id }) => [
      ...[id, model, organization_id, host_id],
      // With or without a port.
      ...(address === null ? [] : [address, `${address}:`]),
    ]);
  }

  async orphans(query: AdminQuery): Promise<Page<ComputingRow<'orphans'>>> {
    return paged(await this.#storage.orphans(), query, ({ name, namespace }) => [name, namespace]);
  }

  async fill(query: AdminQuery): Promise<Page<ComputingRow<'storage-fill'>>> {
    return paged(await this.#storage.fill(), query, ({ storage_class, node }) => [storage_class, node]);
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
