// A list as a file, and accounts from a file.
import { playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ListContextProvider, ResourceContextProvider } from 'react-admin';
import { staffAround } from '../testing/played-staff.tsx';
import { ExportButton } from './export-button.tsx';
import { ImportButton } from './import-button.tsx';

// jsdom's files cannot be read; Node's types are not a browser's.
const NODE: Record<'buffer', string> = { buffer: 'node:buffer' };
const { File: NodeFile } = (await import(NODE.buffer)) as { File: typeof File };

const { answer, bodies } = playAnswers();

const saved: { name: string; blob: Blob }[] = [];
beforeEach(() => {
  saved.length = 0;
  let last: Blob | undefined;
  URL.createObjectURL = (blob) => {
    last = blob as Blob;
    return 'blob:x';
  };
  URL.revokeObjectURL = () => {};
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    if (last) saved.push({ name: this.download, blob: last });
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a list as a file', () => {
  const list = (resource: string, total: number) =>
    render(
      <ListContextProvider
        value={{ resource, total, filterValues: { q: 'ann' }, sort: { field: 'name', order: 'DESC' } } as never}
      >
        <ExportButton />
      </ListContextProvider>,
      { wrapper: staffAround() },
    );
  const url = `/api/admin/users/export?${new URLSearchParams({ filter: '{"q":"ann"}', sort: '["name","DESC"]' })}`;

  test('has the filter and the order of the list, and is saved once it is whole', async () => {
    const fetched = jest.mocked(globalThis.fetch);
    fetched.mockImplementation(async (asked, init) => {
      expect([`${asked}`, new Headers(init?.headers).get('X-Token')]).toEqual([url, 'tok']);
      return new Response('\uFEFFid\r\n1\r\n2\r\n', { headers: { 'X-Total-Count': '2' } });
    });
    list('manage/user/users', 2);
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    const dialog = screen.getByRole('dialog', { name: 'Export 2 rows of Accounts?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['users.csv']));
    expect(await screen.findByText('2 rows are in the file.')).toBeTruthy();
  });

  test('can be cancelled, and then nothing is saved', async () => {
    jest.mocked(globalThis.fetch).mockImplementation(async (_, init) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('id\r\n1\r\n'));
          init?.signal?.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')));
        },
      });
      return new Response(body, { headers: { 'X-Total-Count': '500' } });
    });
    list('manage/user/users', 500);
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Export' }));
    expect(await screen.findByText('1 of 500 rows')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('The export was cancelled.')).toBeTruthy();
    expect(saved).toEqual([]);
  });

  test('a refusal is the server’s sentence', async () => {
    answer(`GET ${url}`, { status: 429, body: { code: 42901, error: 'too_many_requests', message: 'Later.' } });
    list('manage/user/users', 2);
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Export' }));
    expect(await screen.findByText('Later.')).toBeTruthy();
  });

  test('there is none of real names', () => {
    list('manage/audit/real-auths', 2);
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  });
});

describe('accounts from a file', () => {
  const toolbar = (nodes: readonly string[], resource = 'manage/user/users') =>
    render(
      <ResourceContextProvider value={resource}>
        <ImportButton />
      </ResourceContextProvider>,
      { wrapper: staffAround({ nodes }) },
    );
  const row = (line: number, outcome: string, said: string | null = null) => ({
    ...{ line, name: `pupil-${line}`, outcome, said },
    ...{ field: null, problem: null, account_id: null },
  });
  const CSV = 'name,email\npupil-2,a@example.com\npupil-3,\n';

  test('the preview comes first, and then a reason', async () => {
    answer('POST /api/admin/users/import?dry_run=true', {
      body: {
        dry_run: true,
        rows: [row(2, 'new'), row(3, 'refused', 'An address is needed.')],
        counts: { new: 1, made: 0, exists: 0, refused: 1 },
      },
    });
    answer('POST /api/admin/users/import?dry_run=false', {
      body: {
        dry_run: false,
        rows: [row(2, 'made'), row(3, 'refused', 'An address is needed.')],
        counts: { new: 0, made: 1, exists: 0, refused: 1 },
      },
    });
    toolbar(['adminImportUsers']);
    await userEvent.click(await screen.findByRole('button', { name: 'Import' }));
    const input = screen.getByRole('dialog').querySelector('input[type=file]') as HTMLInputElement;
    fireEvent.change(input, { target: { files: [new NodeFile([CSV], 'class.csv')] } });
    expect(await screen.findByText('Refused: An address is needed.')).toBeTruthy();
    expect(screen.getByText(/1 to create, 0 exist already, 1 refused/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Create 1 account' }));
    expect(await screen.findByText('Please give a reason')).toBeTruthy();
    await userEvent.type(screen.getByLabelText(/Reason/), 'a course');
    await userEvent.click(screen.getByRole('button', { name: 'Create 1 account' }));
    expect(await screen.findByText(/1 created, 0 existed already, 1 refused/)).toBeTruthy();
    expect(bodies('POST /api/admin/users/import?dry_run=false')).toEqual([{ csv: CSV, reason: 'a course' }]);
    expect(screen.queryByRole('button', { name: /Create/ })).toBeNull();
  });

  test('a file that is no file of accounts is told in the server’s words', async () => {
    const message = 'The first line names the columns.';
    answer('POST /api/admin/users/import?dry_run=true', {
      status: 400,
      body: { code: 40051, error: 'import_columns', message, request_id: 'r' },
    });
    toolbar(['adminImportUsers']);
    await userEvent.click(await screen.findByRole('button', { name: 'Import' }));
    const input = screen.getByRole('dialog').querySelector('input[type=file]') as HTMLInputElement;
    fireEvent.change(input, { target: { files: [new NodeFile(['x'], 'x.csv')] } });
    expect((await screen.findByRole('alert')).textContent).toBe(message);
  });

  test('who may not import, and other lists, have no button', async () => {
    toolbar(['adminEditUser']);
    toolbar(['adminImportUsers'], 'manage/user/organizations');
    await waitFor(() => expect(screen.getAllByTestId('here')).toHaveLength(2));
    expect(screen.queryByRole('button', { name: 'Import' })).toBeNull();
  });
});
