// Staff's writing for tenants, and their actions on mails: articles and announcements beside their preview, mails alone and together.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { localTime, utcTime } from '@gantry/ui/format/local-time.ts';
import { isReloadHeld } from '@gantry/ui/session/hold-reload.ts';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import {
  type AuthProvider,
  CoreAdminContext,
  ListContextProvider,
  RecordContextProvider,
  ResourceContextProvider,
} from 'react-admin';
import { createMemoryRouter, Route, RouterProvider, Routes } from 'react-router';
import { adminData } from '../providers/data-provider.ts';
import { words as operation } from '../words/en/operation.ts';
import { words as people } from '../words/en/people.ts';
import { words as shell } from '../words/en/shell.ts';
import { Create as NewAnnouncement, Show as ShowAnnouncement } from './announcements/announcements.tsx';
import { ArticleEditor } from './articles/article-editor.tsx';
import { Show as ShowArticle } from './articles/articles.tsx';
import { Show as ShowModel } from './gpu-models/gpu-models.tsx';
import { List as Health } from './health/health.tsx';
import { BulkCommands } from './mails/mails.tsx';
import { OrganizationCommands } from './organizations/organization-commands.tsx';
import { Show as ShowSetting } from './settings/settings.tsx';

const fetched = playNetwork();
let sent: { path: string; body: Record<string, unknown> }[];
let nodes: ReadonlySet<string>;
let reply: unknown;
let client: ReturnType<typeof newQueryClient>;
beforeEach(() => {
  sent = [];
  reply = {};
  client = newQueryClient();
  nodes = new Set(['adminRetryMails', 'adminGiveUpMails']);
  fetched.mockImplementation(async (url, init) => {
    if (init?.method === 'POST' || init?.method === 'PUT')
      sent.push({ path: String(url), body: JSON.parse(String(init.body)) });
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
    <CoreAdminContext dataProvider={adminData(useApi())} authProvider={auth} queryClient={client}>
      <ResourceContextProvider value="manage/operation/mails">{children}</ResourceContextProvider>
    </CoreAdminContext>
  );
}

function show(element: ReactNode) {
  const router = createMemoryRouter([{ path: '*', element: <Around>{element}</Around> }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ operation, people, shell, tables }) });
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
      value={{ resource: 'manage/operation/mails', selectedIds: ['mail-1', 'mail-2'], onSelect() {} } as never}
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

/** The page of a row, at its address. */
function showRow(name: string, Show: () => ReactNode, id = '1') {
  const element = (
    <Around>
      <ThemeProvider theme={createTheme()}>
        <ResourceContextProvider value={name}>
          <Routes>
            <Route path="/:id" element={<Show />} />
          </Routes>
        </ResourceContextProvider>
      </ThemeProvider>
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [`/${id}`] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ operation, people, shell, tables }) });
}
const refetch = () =>
  act(async () => {
    await client.refetchQueries();
    // The page hears of the answers in the next turn.
    await new Promise((resolve) => setTimeout(resolve));
  });
const ANNOUNCEMENT = {
  id: '1',
  version: 'v1',
  state: 'planned',
  title: in3('Title'),
  content: in3('Content'),
  starts_at: '2027-01-01T00:00:00.000Z',
  ends_at: '2027-01-02T00:00:00.000Z',
  created_by: 'acc-1',
  created_at: '2026-01-01T00:00:00.000Z',
};

test('an announcement that somebody else saves keeps what is typed, and is saved upon the version that it began with', async () => {
  nodes = new Set(['adminEditAnnouncement']);
  reply = ANNOUNCEMENT;
  showRow('manage/operation/announcements', ShowAnnouncement);
  fireEvent.change(await screen.findByLabelText(/^Title/), { target: { value: 'Mine' } });
  expect(await isReloadHeld()).toBe(true);
  reply = { ...ANNOUNCEMENT, version: 'v2', title: in3('Theirs') };
  await refetch();
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Mine');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  give('clearer', 'Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ version: 'v1', title: { en: 'Mine', zh: 'Title zh' } });
  // The saved version is the one edited next.
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Theirs en'));
  await waitFor(async () => expect(await isReloadHeld()).toBe(false));
});

test('an article that somebody else saves keeps what is typed', async () => {
  const article = { id: '1', version: 'v1', slug: 'first', position: 3, kind: 'help', state: 'draft', latest: 1 };
  reply = article;
  fetched.mockImplementation(async (url, init) => {
    if (init?.method === 'PUT') sent.push({ path: String(url), body: JSON.parse(String(init.body)) });
    const [, of] = /article-versions\/(.*)$/.exec(String(url)) ?? [];
    return answer(of ? { id: of, title: in3(`Title of ${of}`), content: in3('Text') } : reply);
  });
  showRow('manage/operation/articles', ShowArticle);
  fireEvent.change(await screen.findByLabelText(/^Title/), { target: { value: 'Mine' } });
  reply = { ...article, version: 'v2', latest: 2 };
  await refetch();
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Mine');
  fireEvent.click(screen.getByRole('button', { name: 'Save as a draft' }));
  give('clearer', 'Save as a draft');
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ version: 'v1', title: { en: 'Mine' } }));
});

test('a logo is chosen as a file, and goes out as a data URL', async () => {
  nodes = new Set(['adminEditSetting']);
  reply = { id: 'portal-logo', version: 'v1', value: '', installed: '', is_changed: false };
  showRow('manage/operation/settings', ShowSetting, 'portal-logo');
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  const picture = new File([new Uint8Array([0x89, 0x50, 255])], 'a.png', { type: 'image/png' });
  fireEvent.change(screen.getByLabelText('Choose a picture'), { target: { files: [picture] } });
  expect((await screen.findByRole('img', { name: 'Picture' })).getAttribute('src')).toBe('data:image/png;base64,iVD/');
  give('ours', 'Change');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    path: '/api/admin/settings/portal-logo',
    body: { value: 'data:image/png;base64,iVD/', reason: 'ours' },
  });
});

test('a draft opens on the portal in each language, and one command goes back to the version before', async () => {
  nodes = new Set(['adminPreviewArticle', 'adminPublishArticle']);
  const article = {
    id: '1',
    version: 'v1',
    slug: 'first',
    position: 3,
    kind: 'help',
    state: 'changed',
    latest: 6,
    // The versions between them were drafts.
    published: 5,
    published_before: 2,
  };
  fetched.mockImplementation(async (url, init) => {
    if (init?.method === 'POST') sent.push({ path: String(url), body: JSON.parse(String(init.body)) });
    if (String(url).endsWith('/preview')) return answer(in3('https://www.example.org/'));
    const [, of] = /article-versions\/(.*)$/.exec(String(url)) ?? [];
    return answer(of ? { id: of, title: in3('T'), content: in3('Text') } : article);
  });
  showRow('manage/operation/articles', ShowArticle);
  fireEvent.click(await screen.findByRole('button', { name: 'Preview on the portal' }));
  const link = await screen.findByRole('link', { name: '日本語' });
  expect(link.getAttribute('href')).toBe('https://www.example.org/ ja');
  expect(sent).toEqual([{ path: '/api/admin/articles/1/preview', body: { number: 6 } }]);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Roll back to version 2' }));
  give('five was wrong', 'Roll back to version 2');
  await waitFor(() => expect(sent[1]).toMatchObject({ path: '/api/admin/articles/1/publish', body: { number: 2 } }));
});

test('a wrong place of an article is refused instead of becoming the first', async () => {
  const saved: unknown[] = [];
  show(
    <ArticleEditor
      first={{ slug: 'first', position: 3, title: in3('Title'), content: in3('Text') }}
      onSave={async (...draft) => void saved.push(draft)}
    />,
  );
  fireEvent.change(await screen.findByLabelText('Place'), { target: { value: 'x' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save as a draft' }));
  give('moved', 'Save as a draft');
  expect(await screen.findByText('Place: a whole number of up to five digits')).toBeTruthy();
  expect(saved).toEqual([]);
});

test('a wrong place of a model is refused instead of taking it away', async () => {
  nodes = new Set(['adminEditGpuModel']);
  reply = { id: '1', version: 'v1', name: 'H100', is_shown: true, position: 3, note: null, nodes: 1, gpus: 8, free: 0 };
  showRow('manage/operation/gpu-models', ShowModel);
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  fireEvent.change(screen.getByLabelText('Place'), { target: { value: 'x' } });
  give('moved', 'Change');
  expect(await screen.findByText(/up to five digits, or nothing/)).toBeTruthy();
  expect(sent).toEqual([]);
});

test('a wrong or emptied quota is refused instead of left out', async () => {
  nodes = new Set(['adminEditOrganization']);
  const quota = { gpus: 8, cores: 64, memoryGi: 512, storageGi: 1000, instances: 10, disks: 10, hosts: 1 };
  show(
    <RecordContextProvider value={{ id: 'acme', name: 'Acme', deleted_at: null, quota }}>
      <OrganizationCommands />
    </RecordContextProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Change quota' }));
  const gpus = screen.getByLabelText('GPUs');
  for (const wrong of ['', '8x']) {
    fireEvent.change(gpus, { target: { value: wrong } });
    give('grown', 'Change quota');
    expect(await screen.findByText('GPUs: a whole number of up to six digits')).toBeTruthy();
  }
  expect(sent).toEqual([]);
  fireEvent.change(gpus, { target: { value: '16' } });
  give('grown', 'Change quota');
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ quota: { ...quota, gpus: 16 } }));
});

test('of more mails than the server takes at once, the rest is named and stays selected', async () => {
  reply = { items: [{ id: 'mail-0', error: null, message: null }] };
  const selected = Array.from({ length: 103 }, (_, at) => `mail-${at}`);
  const kept: unknown[] = [];
  const list = {
    resource: 'manage/operation/mails',
    selectedIds: selected,
    onSelect: (ids: unknown) => kept.push(ids),
  };
  show(
    <ListContextProvider value={list as never}>
      <BulkCommands />
    </ListContextProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Send now' }));
  expect(screen.getByText(/Only the first 100 of the 103 selected/)).toBeTruthy();
  give('the server is back', 'Send now');
  await waitFor(() => expect(kept).toEqual([['mail-100', 'mail-101', 'mail-102']]));
  expect(sent[0]?.body.ids).toHaveLength(100);
});
