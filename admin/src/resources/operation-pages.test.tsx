// What staff write for tenants and do about mails: articles and announcements beside their preview, mails alone and together.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type AuthProvider, CoreAdminContext, ListContextProvider, ResourceContextProvider } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { localTime, utcTime } from '../parts/local-time.ts';
import { adminData } from '../providers/data-provider.ts';
import { words as operation } from '../words/en/operation.ts';
import { words as shell } from '../words/en/shell.ts';
import { Create as NewAnnouncement } from './announcements/announcements.tsx';
import { ArticleEditor } from './articles/article-editor.tsx';
import { List as Health } from './health/health.tsx';
import { BulkCommands } from './mails/mails.tsx';

const fetched = playNetwork();
let sent: { path: string; body: Record<string, unknown> }[];
let nodes: ReadonlySet<string>;
let reply: unknown;
beforeEach(() => {
  sent = [];
  reply = {};
  nodes = new Set(['adminRetryMails', 'adminGiveUpMails']);
  fetched.mockImplementation(async (url, init) => {
    if (init?.method === 'POST') sent.push({ path: String(url), body: JSON.parse(String(init.body)) });
    return answer(reply);
  });
});

function Around({ children }: { children: ReactNode }) {
  const auth = {
    checkAuth: async () => {},
    checkError: async () => {},
    getPermissions: async () => nodes,
  } as unknown as AuthProvider;
  return (
    <CoreAdminContext dataProvider={adminData(useApi())} authProvider={auth} queryClient={newQueryClient()}>
      <ResourceContextProvider value="manage/operation/mails">{children}</ResourceContextProvider>
    </CoreAdminContext>
  );
}

function show(element: ReactNode) {
  const router = createMemoryRouter([{ path: '*', element: <Around>{element}</Around> }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ operation, shell, tables }) });
}
const give = (reason: string, label: string) => {
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: reason } });
  fireEvent.click(dialog.getByRole('button', { name: label }));
};
const in3 = (text: string) => ({ en: `${text} en`, zh: `${text} zh`, ja: `${text} ja` });

test('an article is shown as readers will see it, without HTML, scripts and pictures, in each language', async () => {
  const saved: unknown[] = [];
  const hostile =
    '## Part\n\n<img src=x onerror=alert(1)><script>alert(1)</script>\n\n[click](javascript:alert(1)) ![spy](https://evil.example/x.png)';
  show(
    <ArticleEditor
      first={{ slug: 'first', position: 3, title: in3('Title'), content: { ...in3('Text'), en: hostile } }}
      onSave={async (...draft) => void saved.push(draft)}
    />,
  );
  const preview = await screen.findByRole('article');
  expect(within(preview).getByRole('heading', { name: 'Part' })).toBeTruthy();
  expect(preview.querySelector('img, script')).toBeNull();
  expect(preview.innerHTML).not.toMatch(/javascript:|onerror|evil\.example/);
  fireEvent.click(screen.getByRole('tab', { name: '日本語' }));
  expect(within(screen.getByRole('article')).getByText('Text ja')).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Text/), { target: { value: '' } });
  expect(screen.getByRole('tab', { name: '日本語 (missing)' })).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Text/), { target: { value: 'new' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save as a draft' }));
  give('clearer', 'Save as a draft');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toEqual([
    { slug: 'first', position: 3, title: in3('Title'), content: { ...in3('Text'), en: hostile, ja: 'new' } },
    'clearer',
  ]);
});

test('an announcement is text in the preview, and goes out with its times', async () => {
  show(<NewAnnouncement />);
  fireEvent.change(await screen.findByLabelText(/^Title/), { target: { value: '<b>Repairs</b>' } });
  expect(screen.getByText('<b>Repairs</b>', { selector: 'p' })).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Ends'), { target: { value: '2027-01-02T03:04' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  give('planned', 'Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    path: '/api/admin/announcements',
    body: { title: { en: '<b>Repairs</b>' }, ends_at: new Date('2027-01-02T03:04').toISOString(), reason: 'planned' },
  });
});

test('mails are sent again together, and those that could not be are named with why', async () => {
  reply = {
    items: [
      { id: 'mail-1', error: null, message: null },
      { id: 'mail-2', error: 'mail_useless', message: 'Its content is erased.' },
    ],
  };
  show(
    <ListContextProvider
      value={{ resource: 'manage/operation/mails', selectedIds: ['mail-1', 'mail-2'], onUnselectItems() {} } as never}
    >
      <BulkCommands />
    </ListContextProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Send now' }));
  expect(screen.getByText('Send these 2 now?')).toBeTruthy();
  give('the server is back', 'Send now');
  expect(await screen.findByText('mail-2: Its content is erased.')).toBeTruthy();
  expect(sent).toEqual([
    { path: '/api/admin/mails/retry', body: { ids: ['mail-1', 'mail-2'], reason: 'the server is back' } },
  ]);
});

test('whoever may not command mails has no buttons for it', async () => {
  nodes = new Set(['adminGiveUpMails']);
  show(
    <ListContextProvider value={{ resource: 'manage/operation/mails', selectedIds: ['mail-1'] } as never}>
      <BulkCommands />
    </ListContextProvider>,
  );
  expect(await screen.findByRole('button', { name: 'Give up' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull();
});

test('what is down stands first, with what to do', async () => {
  const row = { version: '1.0', since: null, seen_at: null };
  reply = [
    { ...row, id: 'gateway.a', component: 'gateway', name: 'a', state: 'ok', trouble: null },
    { ...row, id: 'operator.b', component: 'operator', name: 'b', state: 'down', trouble: 'operatorSilent' },
  ];
  show(<Health />);
  expect(await screen.findByText(/Read the log of its Pod and restart it/)).toBeTruthy();
  const [, first] = screen.getAllByRole('row');
  expect(within(first as HTMLElement).getByRole('rowheader').textContent).toBe('Operator');
});

test('a field for local times gives the moment back that it was given', () => {
  const moment = '2026-11-25T18:10:00.000Z';
  expect(utcTime(localTime(moment))).toBe(moment);
  expect(utcTime('')).toBeUndefined();
});
