// Commands and lists as components have them, against an API whose network is played.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { expect, jest, test } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { answer, answerOf, appAround, playNetwork } from '../testing/played-app.tsx';
import { ApiProblem } from './api-problem.ts';
import { type LoadedList, newQueryClient, useCall, useCommand, useList } from './use-api.tsx';

const fetched = playNetwork();

function show(page: ReactNode) {
  const client = newQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  render(page, { wrapper: appAround({}, client) });
}

const keys = () => fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));

let create: ReturnType<typeof useCommand<NonNullable<typeof CALLS.createDisk.facts>>>;
function Creator() {
  create = useCommand(CALLS.createDisk);
  return null;
}
let open: (isOpen: boolean) => void;
function Dialog() {
  const [isOpen, setOpen] = useState(true);
  open = setOpen;
  return isOpen && <Creator />;
}
const press = (displayName: string) =>
  act(() => create.mutateAsync({ body: { displayName, sizeGi: 1 } }).catch(() => undefined));

test('pressed twice at once, a command is sent once; another wish goes beside it', async () => {
  fetched.mockImplementation(async () => answerOf({}));
  show(<Creator />);
  await act(async () => {
    const twice = ['one', 'one', 'other'].map((displayName) =>
      create.mutateAsync({ body: { displayName, sizeGi: 1 } }),
    );
    expect(await Promise.all(twice)).toHaveLength(3);
  });
  expect(fetched).toHaveBeenCalledTimes(2);
  await press('one');
  expect(fetched).toHaveBeenCalledTimes(3);
  expect(new Set(keys()).size).toBe(3);
});

test('pressed again after an answer that never came, a command goes under the same key', async () => {
  show(<Creator />);
  fetched.mockRejectedValueOnce(new TypeError('no network'));
  await press('data');
  expect(await screen.findByText('Connection failed.')).toBeTruthy();
  fetched.mockResolvedValueOnce(answerOf({}));
  await press('data');
  const [first, second] = keys();
  expect(first).toBeTruthy();
  expect(second).toBe(first);
  expect(await screen.findByText('Operation successful')).toBeTruthy();
});

test('an answer that says as little is none: the key stays, also when the dialog was closed meanwhile', async () => {
  show(<Dialog />);
  fetched.mockResolvedValueOnce(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await press('data');
  create = undefined as never;
  await act(() => open(false));
  await act(() => open(true));
  fetched.mockResolvedValueOnce(answerOf({}));
  await press('data');
  fetched.mockResolvedValueOnce(answerOf({}));
  await press('data');
  const [first, second, third] = keys();
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('another wish, or the same one after an answer, has a key of its own', async () => {
  show(<Creator />);
  fetched.mockRejectedValueOnce(new TypeError('no network'));
  await press('data');
  fetched.mockResolvedValueOnce(
    answer({ code: 40901, error: 'quota_exceeded', message: 'Too many.', request_id: 'r' }, 409),
  );
  await press('other');
  expect(await screen.findByText('Too many.')).toBeTruthy();
  fetched.mockResolvedValueOnce(answerOf({}));
  await press('other');
  expect(new Set(keys()).size).toBe(3);
});

test('a fault of the program is not read out: its message is for developers', async () => {
  show(<Creator />);
  fetched.mockResolvedValueOnce(new Response(null, { headers: { 'X-Gantry-Version': 'x' } }));
  const broken = { displayName: 'data', sizeGi: 1, self: {} };
  broken.self = broken;
  await act(() => create.mutateAsync({ body: broken } as never).catch(() => undefined));
  expect(await screen.findByText('Operation failed.')).toBeTruthy();
});

test('a read whose server fails is reported once until it succeeds; that nobody is there is not its failure', async () => {
  const failed = jest.fn();
  const client = newQueryClient(failed);
  client.setDefaultOptions({ queries: { retry: false } });
  const read = (name: string) =>
    client
      .fetchQuery({
        queryKey: [name],
        queryFn: () => {
          const next = answers.shift();
          if (next !== 200) throw new ApiProblem({ status: next ?? 0, code: 1, error: 'internal', message: `${next}` });
          return {};
        },
      })
      .catch(() => undefined);
  const answers: number[] = [];
  const toldOf = async (name: string, ...statuses: number[]) => {
    failed.mockClear();
    answers.push(...statuses);
    for (const _ of statuses) await read(name);
    return failed.mock.calls.map(([problem]) => (problem as ApiProblem).message);
  };
  expect(await toldOf('one', 500, 500, 503)).toEqual(['500']);
  expect(await toldOf('one', 200, 500)).toEqual(['500']);
  expect(await toldOf('refused', 404, 409)).toEqual([]);
  expect(await toldOf('two', 0, 0)).toEqual([]);
  expect(await toldOf('two', 500)).toEqual(['500']);
});

let disks: LoadedList<{ id: string }>;
function Lister() {
  disks = useList(CALLS.listDisks, {}, { size: 2 }) as LoadedList<{ id: string }>;
  return null;
}
const page = (number: number, ...ids: string[]) =>
  answer({
    code: 0,
    message: 'ok',
    data: ids.map((id) => ({ id })),
    paginated: { page: number, size: 2, total_num: 3, total_page: 2, num: ids.length, extra: {} },
  });

test('a list grows by pages, and a row that moved to the next page meanwhile is shown once', async () => {
  fetched.mockResolvedValueOnce(page(1, 'a', 'b'));
  show(<Lister />);
  await waitFor(() => expect(disks.items).toHaveLength(2));
  expect(disks).toMatchObject({ total: 3, hasMore: true });
  fetched.mockResolvedValueOnce(page(2, 'b', 'c'));
  act(() => disks.more());
  await waitFor(() => expect(disks.items.map(({ id }) => id)).toEqual(['a', 'b', 'c']));
  expect(disks.hasMore).toBe(false);
  expect(String(fetched.mock.calls[1]?.[0])).toBe('/api/stor/v1/data-disk?page=2&size=2');
});

test('a command that is done while the list is first read has it read again, and nobody is told that the first was called off', async () => {
  const reads: { signal: AbortSignal; answer: (response: Response) => void }[] = [];
  fetched.mockImplementation((_, init) => {
    if (init?.method === 'POST') return Promise.resolve(answerOf({}));
    const { signal } = init as { signal: AbortSignal };
    return new Promise((answer, reject) => {
      reads.push({ signal, answer });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  function Both() {
    create = useCommand(CALLS.createDisk, { success: false, invalidates: [CALLS.listDisks] });
    return <Lister />;
  }
  show(<Both />);
  act(() => create.mutate({ body: { displayName: 'data', sizeGi: 1 } }));
  await waitFor(() => expect(reads.map(({ signal }) => signal.aborted)).toEqual([true, false]));
  expect(disks).toMatchObject({ isLoading: true, error: null });
  reads[1]?.answer(page(2, 'a'));
  await waitFor(() => expect(disks.items.map(({ id }) => id)).toEqual(['a']));
  expect(disks.error).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('rows that have another name for their id are told apart by it', async () => {
  const found: LoadedList<{ transaction_id: string }>[] = [];
  function Transactions() {
    found.push(useList(CALLS.listTransactions, {}, { size: 2 }) as unknown as (typeof found)[number]);
    return null;
  }
  const pageOf = (number: number, ...ids: string[]) =>
    answer({
      code: 0,
      message: 'ok',
      data: ids.map((transaction_id) => ({ transaction_id })),
      paginated: { page: number, size: 2, total_num: 3, total_page: 2, num: ids.length, extra: {} },
    });
  fetched.mockResolvedValueOnce(pageOf(1, 'a', 'b'));
  show(<Transactions />);
  await waitFor(() => expect(found.at(-1)?.hasMore).toBe(true));
  fetched.mockResolvedValueOnce(pageOf(2, 'b', 'c'));
  act(() => found.at(-1)?.more());
  await waitFor(() => expect(found.at(-1)?.items.map(({ transaction_id }) => transaction_id)).toEqual(['a', 'b', 'c']));
});

test('one route read as a page and as a growing list is two reads, each in its shape', async () => {
  fetched.mockImplementation(async () => page(1, 'a', 'b'));
  let read: readonly { id: string }[] | undefined;
  function Both() {
    read = useCall(CALLS.listDisks, {}).data?.items;
    return <Lister />;
  }
  show(<Both />);
  await waitFor(() => expect(disks.items.map(({ id }) => id)).toEqual(['a', 'b']));
  await waitFor(() => expect(read?.map(({ id }) => id)).toEqual(['a', 'b']));
});

function Reads() {
  useCall(CALLS.getPermissionNodes, {});
  useCall(CALLS.getBillingConfig, {});
  const { error } = useCall(CALLS.listPubKeys, {});
  return <p>{error?.message}</p>;
}

test('permission nodes and billing configuration that cannot be read are in the log; other reads tell their page', async () => {
  const logged = jest.spyOn(console, 'warn').mockImplementation(() => {});
  fetched.mockImplementation(async () => answer({ code: 50000, error: 'internal', message: 'Broken.' }, 500));
  show(<Reads />);
  await screen.findByText('Broken.');
  await waitFor(() =>
    expect(logged.mock.calls.map(([text]) => text).sort()).toEqual([
      'getBillingConfig could not be read',
      'getPermissionNodes could not be read',
    ]),
  );
  logged.mockRestore();
});
