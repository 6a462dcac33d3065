// The name of an account or an organisation whose ID a row has, with the ID beneath. Rows that are drawn together ask once.
import type { Names } from '@gantry/contract/areas/admin/admin-home.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import type { AdminData } from '../providers/data-provider.ts';
import { NamedText } from './named-option.tsx';

type Named = keyof Names;

interface RowNameProps {
  of: Named;
  id: string;
  /** Without the ID: where it stands already, or in a sentence. */
  isBare?: boolean;
}

export function RowName({ of, id, isBare = false }: RowNameProps) {
  const name = useRowName(of, id);
  return isBare ? name || id : <NamedText name={name} id={id} />;
}

/** Undefined until it is known, and for an ID that nobody has. */
export function useRowName(of: Named, id: string): string | undefined {
  const data = useDataProvider<AdminData>();
  const client = useQueryClient();
  const { data: name } = useQuery({
    queryKey: ['admin', 'names', of, id],
    queryFn: async () => (await askTogether(client, data, of, id)) ?? null,
    enabled: ID.test(id),
    staleTime: KEEP_MS,
  });
  return name ?? undefined;
}

const ID = /^[A-Za-z0-9-]{1,63}$/;
const KEEP_MS = 300_000;
const MOST_AT_ONCE = 100;

type Asked = Record<Named, Set<string>>;
const waiting = new WeakMap<QueryClient, { ids: Asked; answer: Promise<Names> }>();

/** Whatever is asked for before the next turn of the event loop goes into one call. */
async function askTogether(client: QueryClient, data: AdminData, of: Named, id: string): Promise<string | undefined> {
  let turn = waiting.get(client);
  if (!turn || (turn.ids[of].size >= MOST_AT_ONCE && !turn.ids[of].has(id))) {
    const ids: Asked = { accounts: new Set(), organizations: new Set() };
    const answer = new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      if (waiting.get(client)?.ids === ids) waiting.delete(client);
      const query = Object.entries(ids).flatMap(([key, all]) => (all.size > 0 ? [`${key}=${[...all].join(',')}`] : []));
      return data.ask<Names>(`names?${query.join('&')}`);
    });
    turn = { ids, answer };
    waiting.set(client, turn);
  }
  turn.ids[of].add(id);
  return (await turn.answer)[of][id];
}
