// The API for components: cached reads, growing lists, commands that report their outcome.

import type { Call, InputOf, ItemOf, ListPage, OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useUiWords } from '../i18n/use-words.tsx';
import { useToast } from '../widgets/toast.tsx';
import type { AnyInput, Api } from './api.ts';
import { ApiProblem, sentenceOr } from './api-problem.ts';
import { randomId } from './chance.ts';
import { readAgain } from './read-again.ts';

const ApiContext = createContext<Api | undefined>(undefined);

export const ApiProvider = ({ api, children }: { api: Api; children: ReactNode }) => (
  <ApiContext value={api}>{children}</ApiContext>
);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error('there is no ApiProvider above');
  return api;
}

const MOST_TRIES = 2;
const STALE_MS = 30_000;

/**
 * Reads are tried again only where nobody answered: what a server says, it means. `onFailed` hears of reads whose
 * server has failed; what a server refuses is shown by the page that asked.
 */
export const newQueryClient = (onFailed: (problem: ApiProblem) => void = () => {}): QueryClient =>
  new QueryClient({
    queryCache: reportingCache(onFailed),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => error instanceof ApiProblem && error.isUnanswered && failures < MOST_TRIES,
      },
      mutations: { retry: false },
    },
  });

/** Reads without which a page goes on, as if they were empty: a failure is reported in the log alone. */
const LOGGED: ReadonlySet<unknown> = new Set([CALLS.getPermissionNodes, CALLS.getBillingConfig].map(({ id }) => id));

/** They say how far something is: a page shows that, and asks again. */
const STATES: ReadonlySet<ApiProblem['error']> = new Set(['dataset_preparing']);

/** A read that fails again and again is reported once, until it succeeds. That nobody is there is no failure of a read. */
function reportingCache(onFailed: (problem: ApiProblem) => void): QueryCache {
  const failing = new WeakSet<object>();
  return new QueryCache({
    onError(error, query) {
      const [id] = query.queryKey;
      if (LOGGED.has(id)) console.warn(`${id} could not be read`, error);
      if (!(error instanceof ApiProblem && error.isUncertain) || error.isAway || failing.has(query)) return;
      if (STATES.has(error.error)) return;
      failing.add(query);
      onFailed(error);
    },
    onSuccess(_, query) {
      failing.delete(query);
    },
  });
}

/** `[route's id, input]`: what the live stream and `invalidates` find it by. */
export const keyOf = (call: Pick<Call, 'id'>, input?: AnyInput): QueryKey =>
  input === undefined ? [call.id] : [call.id, input];

interface ReadOptions {
  enabled?: boolean;
  /** Again each so many milliseconds, while the page is seen. */
  everyMs?: number;
  /** Shows the former answer while another input's is on its way. */
  keepsPrevious?: boolean;
  staleMs?: number;
}

/** A read of the API. */
export function useCall<F extends RouteFacts>(
  call: Call<F>,
  input: InputOf<F>,
  { enabled = true, everyMs, keepsPrevious, staleMs }: ReadOptions = {},
): UseQueryResult<OutputOf<F>, ApiProblem> {
  const api = useApi();
  return useQuery<OutputOf<F>, ApiProblem>({
    queryKey: keyOf(call, input as AnyInput),
    queryFn: ({ signal }) => api.call(call, input, { signal }),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(staleMs !== undefined && { staleTime: staleMs }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  } as Parameters<typeof useQuery<OutputOf<F>, ApiProblem>>[0]);
}

export interface LoadedList<Item> {
  readonly items: readonly Item[];
  /** Over all pages; undefined until the first has arrived. */
  readonly total: number | undefined;
  /** The list's data besides its items. */
  readonly extra: ListPage<Item>['extra'] | undefined;
  readonly isLoading: boolean;
  /** Loaded, and there is nothing. Before the answer there are no items either: what says "none" asks this. */
  readonly isEmpty: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: ApiProblem | null;
  more(): void;
  again(): void;
}

const PAGE_SIZE = 100;

/** A list that grows as one scrolls. `query` is without page and size; pages of `size` are asked for. */
export function useList<F extends RouteFacts>(
  call: Call<F>,
  input: Omit<AnyInput, 'body'> = {},
  { size = PAGE_SIZE, enabled = true }: { size?: number; enabled?: boolean } = {},
): LoadedList<ItemOf<F>> {
  const api = useApi();
  const found = useInfiniteQuery({
    // Not that of `useCall`, whose answer has another shape.
    queryKey: [...keyOf(call, input), { pagesOf: size }],
    queryFn: ({ signal, pageParam }) =>
      api.call(call, { ...input, query: { ...input.query, page: pageParam, size } } as unknown as InputOf<F>, {
        signal,
      }) as Promise<ListPage<ItemOf<F>>>,
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }: ListPage<ItemOf<F>>) => (page < totalPages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    enabled,
  });
  const { data, isFetchingNextPage, hasNextPage } = found;
  // A row that moved from one page to the next while they were read is shown once.
  const items = useMemo(() => uniqueItems(data?.pages ?? []), [data]);
  const { fetchNextPage, refetch } = found;
  const isLoading = found.isPending && enabled;
  const error = found.error as ApiProblem | null;
  // The same until something of it is another: what shows it need not be drawn again.
  return useMemo(
    () => ({
      items,
      total: data?.pages.at(-1)?.total,
      extra: data?.pages[0]?.extra,
      isLoading,
      isEmpty: data !== undefined && items.length === 0,
      isLoadingMore: isFetchingNextPage,
      hasMore: hasNextPage,
      error,
      more: () => void (hasNextPage && !isFetchingNextPage && fetchNextPage()),
      again: () => void refetch(),
    }),
    [items, data, isLoading, isFetchingNextPage, hasNextPage, error, fetchNextPage, refetch],
  );
}

function uniqueItems<Item>(pages: readonly ListPage<Item>[]): readonly Item[] {
  const [only] = pages;
  if (only && pages.length === 1) return only.items;
  const items = pages.flatMap((page) => page.items);
  const ids = new Set<unknown>();
  return items.filter((item) => {
    const { id, transaction_id, key } = item as { id?: unknown; transaction_id?: unknown; key?: unknown };
    const own = id ?? transaction_id ?? key;
    if (own === undefined) return true;
    return !ids.has(own) && Boolean(ids.add(own));
  });
}

interface CommandOptions<Output> {
  /** The toast on success; 'Operation successful' by default, none if false. */
  success?: string | false;
  /** Its form says what went wrong: no toast does. */
  isQuiet?: boolean;
  /** Reads that are out of date after it. */
  invalidates?: readonly Pick<Call, 'id'>[];
  onSuccess?: (output: Output) => void;
}

/** So long a wish whose answer never came is taken for the same one. Later it may well be a second: another 50 of credits. */
const SAME_WISH_MS = 10 * 60_000;

/** By call and input; they outlive the dialog that sent them. */
interface Wishes {
  /** Keys of commands that may have been executed. */
  readonly uncertain: Map<string, { readonly key: string; readonly at: number }>;
  /** Answers that are on their way. */
  readonly underWay: Map<string, Promise<unknown>>;
}
const wishesByApi = new WeakMap<Api, Wishes>();

function wishesOf(api: Api): Wishes {
  const known = wishesByApi.get(api) ?? { uncertain: new Map(), underWay: new Map() };
  wishesByApi.set(api, known);
  return known;
}

/** The specification's words, and what they are about. */
function doneWith(output: unknown, t: ReturnType<typeof useUiWords>): string {
  const { name } = (output ?? {}) as { name?: unknown };
  return typeof name === 'string' && name !== '' ? t('toasts.doneWith', { name }) : t('toasts.done');
}

/**
 * A change. Pressed twice before its button could be disabled, it is sent once; pressed again within ten minutes of an answer
 * that never came, it goes under the same Idempotency-Key.
 */
export function useCommand<F extends RouteFacts>(
  call: Call<F>,
  { success, isQuiet, invalidates = [], onSuccess }: CommandOptions<OutputOf<F>> = {},
): UseMutationResult<OutputOf<F>, ApiProblem, InputOf<F>> {
  const api = useApi();
  const client = useQueryClient();
  const toast = useToast();
  const t = useUiWords();
  return useMutation<OutputOf<F>, ApiProblem, InputOf<F>>({
    mutationFn: (input) => {
      const { uncertain, underWay } = wishesOf(api);
      const wish = `${call.id} ${JSON.stringify(input)}`;
      const sent = underWay.get(wish);
      if (sent !== undefined) return sent as Promise<OutputOf<F>>;
      const former = uncertain.get(wish);
      const isSame = former !== undefined && Date.now() - former.at < SAME_WISH_MS;
      const { key, at } = isSame ? former : { key: randomId(), at: Date.now() };
      uncertain.delete(wish);
      const answer = api
        .call(call, input, { idempotencyKey: key })
        .catch((error: unknown) => {
          if (error instanceof ApiProblem && error.isUncertain) uncertain.set(wish, { key, at });
          throw error;
        })
        .finally(() => underWay.delete(wish));
      underWay.set(wish, answer);
      return answer;
    },
    onSuccess: async (output) => {
      if (success !== false) toast.success(success ?? doneWith(output, t));
      onSuccess?.(output);
      await Promise.all(invalidates.map((each) => readAgain(client, keyOf(each))));
    },
    onError: (error) => {
      // 401 and 403 have their own notice.
      if (!isQuiet && error.status !== 401 && error.status !== 403) toast.error(sentenceOr(error, t('toasts.failed')));
    },
  });
}
