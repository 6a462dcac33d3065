// The frame's parts as a person meets them: denials, messages, an organisation that is not there yet, the palette by keyboard.
import { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { ApiProvider, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { holdReload } from '@gantry/ui/session/hold-reload.ts';
import { readToken, storeSession } from '@gantry/ui/session/session.ts';
import { AppTheme } from '@gantry/ui/theme/app-theme.tsx';
import { ToastProvider } from '@gantry/ui/widgets/toast.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import type { PageRow } from '../area.ts';
import { AREAS } from '../areas.ts';
import { BellPopup } from './bell-popup.tsx';
import { HeaderLinks } from './header-links.tsx';
import { LeaveQuestion, useLeaveQuestion } from './leave-question.tsx';
import { loadMenuRows, MenuRowsContext } from './menu-rows.ts';
import { NoticeTeller } from './notice-teller.tsx';
import { tellDenied, tellFailed } from './notices.ts';
import { OrganizationGate } from './organization-gate.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { PagesContext } from './pages.tsx';
import { Palette } from './palette.tsx';
import { SwitchOrganization } from './switch-organization.tsx';
import { takeMessages, useMessages } from './use-bell.ts';
import { words as shell } from './words/en.ts';

/** The answer of each path, in the envelope; a function is called each time. */
let answers: Record<string, unknown>;
let sent: string[];
const realFetch = globalThis.fetch;

beforeEach(() => {
  window.matchMedia = ((media: string) => ({
    media,
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  })) as unknown as typeof window.matchMedia;
  Element.prototype.scrollIntoView = () => {};
  sent = [];
  answers = { '/settings': { result: { market: 'overseas', console_variant: 'full', contact: '' } } };
  globalThis.fetch = (async (url: string, { method }: RequestInit) => {
    const path = url.replace('/api', '').split('?')[0] as string;
    sent.push(`${method} ${path}`);
    const answer = answers[path];
    return Response.json({ code: 0, message: 'ok', ...(typeof answer === 'function' ? answer() : (answer as object)) });
  }) as typeof fetch;
});

afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
});

const MENU_ROWS = await loadMenuRows(AREAS);
const load = async () => ({ Page: () => null });
const PAGES: readonly PageRow[] = [
  ...['/home', '/develop/instance', '/develop/instance/create', '/manage/account'].map((path) => ({ path, load })),
  { path: '/gpu/nodes/:id/:tab?', of: 'gpuhosts', load },
];

function show(element: ReactElement) {
  const words = new Words('en');
  words.add('ui', ui);
  words.add('shell', shell);
  const failures = { network: 'no network', timed_out: 'late', bad_answer: 'bad' };
  const api = new Api({ token: readToken, language: 'en', failures, onDenied: tellDenied });
  const router = createMemoryRouter(
    [
      { path: '/login', element: <p>the login</p> },
      { path: '*', element: <SwitchOrganization>{element}</SwitchOrganization> },
    ],
    { initialEntries: ['/develop/instance?status=running'] },
  );
  render(
    <AppTheme>
      <WordsProvider words={words}>
        <ToastProvider>
          <ApiProvider api={api}>
            <QueryClientProvider client={newQueryClient()}>
              <PagesContext value={PAGES}>
                <MenuRowsContext value={MENU_ROWS}>
                  <RouterProvider router={router} />
                </MenuRowsContext>
              </PagesContext>
            </QueryClientProvider>
          </ApiProvider>
        </ToastProvider>
      </WordsProvider>
    </AppTheme>,
  );
  return { router, user: userEvent.setup() };
}

const denied = (status: number) =>
  act(() => tellDenied(new ApiProblem({ status, code: 1, error: 'permission_missing', message: 'No.' })));

test('the header leads to contacts where the installation has one', async () => {
  show(<HeaderLinks />);
  await waitFor(() => expect(sent).toContain('GET /settings'));
  expect(await screen.findByRole('link', { name: ui.links.docs })).toBeTruthy();
  expect(screen.queryByRole('link', { name: ui.links.contact })).toBeNull();
  cleanup();
  answers = { '/settings': { result: { market: 'overseas', contact: '', support: 'help@example.test' } } };
  show(<HeaderLinks />);
  expect((await screen.findByRole('link', { name: ui.links.contact })).getAttribute('href')).toBe('/contact');
});

test('ten denials are one notice, with whom to ask; one stays on the page', async () => {
  storeSession({ token: 'abc', accountId: 'ann', organizationId: 'acme' });
  const { router } = show(<NoticeTeller isSignedIn />);
  for (let call = 0; call < 10; call++) denied(403);
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain(ui.permission.notice);
  expect(within(notice).getByRole('link').getAttribute('href')).toBe('/contact');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(router.state.location.pathname).toBe('/develop/instance');
  expect(readToken()).toBe('abc');
});

test('the end of a session is told, forgets it, and leads to the login that knows the way back', async () => {
  storeSession({ token: 'abc', accountId: 'ann', organizationId: 'acme' });
  const { router } = show(<NoticeTeller isSignedIn />);
  denied(403);
  denied(401);
  denied(401);
  expect((await screen.findByRole('alert')).textContent).toContain(shell.sessionOver);
  expect(await screen.findByText('the login')).toBeTruthy();
  expect(router.state.location.search).toBe('?next=%2Fdevelop%2Finstance%3Fstatus%3Drunning');
  expect(readToken()).toBeUndefined();
});

const failed = (message: string) =>
  act(() => tellFailed(new ApiProblem({ status: 500, code: 1, error: 'internal', message })));

test('a failed read is told in the words of the server, and hides no denial', async () => {
  show(<NoticeTeller isSignedIn />);
  failed('Back-end data error.');
  expect((await screen.findByRole('alert')).textContent).toContain('Back-end data error.');
  denied(403);
  failed('It took too long.');
  expect(screen.getByRole('alert').textContent).toContain(ui.permission.notice);
});

const message = (id: string, is_read: boolean) => ({
  id,
  title: `Title of ${id}`,
  content: `Content of ${id}`,
  create_time: '2026-11-22T05:04:03Z',
  is_read,
});
const CONNECTED = { state: { status: 'connected' }, retry: () => {} } as const;

const Messages = ({ live = CONNECTED }: { live?: Parameters<typeof BellPopup>[0]['live'] }) => (
  <BellPopup onLeave={() => {}} messages={useMessages()} live={live} />
);

test('opening an unread message marks it, and it alone', async () => {
  const data = [message('b', false), message('a', true)];
  answers['/account/v1/messages'] = { result: { data, un_read: 1, next_cursor: 'c1', has_more: false } };
  const { user } = show(<Messages />);
  const item = await screen.findByRole('button', { name: /Title of b/ });
  expect(within(item).getByRole('img', { name: shell.bell.unread })).toBeTruthy();
  expect(screen.queryByText('Content of b')).toBeNull();
  await user.click(item);
  expect(await screen.findByText('Content of b')).toBeTruthy();
  expect(within(item).queryByRole('img')).toBeNull();
  await user.click(screen.getByRole('button', { name: /Title of a/ }));
  expect(sent.filter((call) => call.endsWith('/read'))).toEqual(['POST /account/v1/messages/read']);
});

test('a joined line is read in one call, and what joins it while it is open is read too', async () => {
  const about = (id: string, is_read: boolean) => ({
    ...message(id, is_read),
    object: { kind: 'gpuhosts', id: 'hst-1' },
  });
  const data = [about('c', false), about('b', false), about('a', false)];
  answers['/account/v1/messages'] = { result: { data, un_read: 3, next_cursor: 'c1', has_more: false } };
  let client: QueryClient | undefined;
  const Taking = () => {
    client = useQueryClient();
    return <Messages />;
  };
  const { user } = show(<Taking />);
  await user.click(await screen.findByRole('button', { name: /Title of c/ }));
  const reads = () => sent.filter((call) => call.endsWith('/read'));
  expect(reads()).toEqual(['POST /account/v1/messages/read']);
  expect(screen.getByRole('link', { name: shell.bell.open }).getAttribute('href')).toBe('/gpu/nodes/hst-1');
  const joining = { data: [about('d', false)], un_read: 1, next_cursor: 'c1', has_more: false };
  act(() => client && takeMessages(client, joining));
  const line = await screen.findByRole('button', { name: /Title of d/ });
  await waitFor(() => expect(within(line).queryByRole('img', { name: shell.bell.unread })).toBeNull());
  expect(reads()).toHaveLength(2);
});

test('without messages it says so; ten and no more have an end', async () => {
  answers['/account/v1/messages'] = { result: { data: [], un_read: 0, next_cursor: '0', has_more: false } };
  show(<Messages />);
  expect(await screen.findByText(shell.bell.none)).toBeTruthy();
  cleanup();
  const data = Array.from({ length: 10 }, (_, number) => message(`m${number}`, true));
  answers['/account/v1/messages'] = { result: { data, un_read: 0, next_cursor: 'c1', has_more: false } };
  show(<Messages />);
  expect(await screen.findByText(shell.bell.end)).toBeTruthy();
});

test('a connection that failed says why, and is tried again', async () => {
  answers['/account/v1/messages'] = { result: { data: [], un_read: 0, next_cursor: '0', has_more: false } };
  let retries = 0;
  const { user } = show(
    <Messages live={{ state: { status: 'failed', error: 'no valid user token provided' }, retry: () => retries++ }} />,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('Connection failed: no valid user token provided');
  expect(screen.queryByText(shell.bell.none)).toBeNull();
  await user.click(screen.getByRole('button', { name: ui.actions.retry }));
  expect(retries).toBe(1);
});

test.each([ui.toasts.network, ''])('a connection that nobody answered is one sentence (%j)', async (error) => {
  answers['/account/v1/messages'] = { result: { data: [], un_read: 0, next_cursor: '0', has_more: false } };
  show(<Messages live={{ state: { status: 'failed', error }, retry: () => {} }} />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(`${ui.toasts.network}${ui.actions.retry}`);
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  expect(screen.queryByText(shell.bell.none)).toBeNull();
});

test('the page waits until the organisation is ready, and comes by itself', async () => {
  let phase = 'preparing';
  answers['/auth/v1/organization/me'] = () => ({ result: { org_id: 'acme', phase } });
  show(
    <OrganizationGate>
      <p>the page</p>
    </OrganizationGate>,
  );
  expect(await screen.findByText(shell.organization.preparing)).toBeTruthy();
  expect(screen.queryByText('the page')).toBeNull();
  phase = 'ready';
  await waitFor(() => expect(screen.getByText('the page')).toBeTruthy());
});

test('an organisation that is being deleted has no pages', async () => {
  answers['/auth/v1/organization/me'] = { result: { org_id: 'acme', phase: 'deleting' } };
  show(
    <OrganizationGate>
      <p>the page</p>
    </OrganizationGate>,
  );
  expect(await screen.findByText(shell.organization.deleting)).toBeTruthy();
  expect(screen.queryByText('the page')).toBeNull();
});

test('the palette: one types, an arrow chooses, Enter goes there', async () => {
  answers['/iam/v1/oauth/front'] = {
    data: [
      { pname: 'home', peltype: 'menu' },
      { pname: 'develop/instance', peltype: 'menu' },
      { pname: 'createInstance', peltype: 'element' },
    ],
  };
  answers['/auth/v1/organization/me'] = { result: { org_id: 'acme', phase: 'ready' } };
  answers['/auth/v1/organization'] = { data: [] };
  let closed = 0;
  const { router, user } = show(<Palette onClose={() => closed++} onShortcuts={() => {}} />);
  await screen.findByRole('option', { name: /Instances/ });
  const input = screen.getByRole('combobox');
  await user.type(input, 'instan');
  const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
  await waitFor(() => expect(names()).toEqual(['InstancesDevelopment', 'Create an instance']));
  const chosen = () => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent;
  expect(chosen()).toBe('InstancesDevelopment');
  await user.keyboard('{ArrowDown}');
  expect(chosen()).toBe('Create an instance');
  await user.keyboard('{Enter}');
  expect(router.state.location.pathname).toBe('/develop/instance/create');
  expect(closed).toBe(1);
});

test('the palette finds what lies within a page, where the role may do it', async () => {
  answers['/iam/v1/oauth/front'] = {
    data: [
      { pname: 'develop/instance', peltype: 'menu' },
      { pname: 'manage/account', peltype: 'menu' },
    ],
  };
  answers['/auth/v1/organization/me'] = { result: { org_id: 'acme', phase: 'ready' } };
  answers['/auth/v1/organization'] = { data: [] };
  const { user } = show(<Palette onClose={() => {}} onShortcuts={() => {}} />);
  await screen.findByRole('option', { name: /Instances/ });
  const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  expect(names()).not.toContain('Create an instance');
  await user.type(screen.getByRole('combobox'), 'ssh');
  await waitFor(() => expect(names()).toEqual(['SSH keys']));
});

test('while the palette changes the organisation, the head says so, and neither changes it again', async () => {
  answers['/iam/v1/oauth/front'] = { data: [{ pname: 'home', peltype: 'menu' }] };
  answers['/auth/v1/organization/me'] = { result: { org_id: 'acme', org_name: 'Acme', phase: 'ready' } };
  answers['/auth/v1/organization'] = { data: [{ org_id: 'other', org_name: 'Other' }] };
  // It is on its way for as long as the test looks.
  const path = '/iam/v1/oauth/switch';
  const fetchRest = globalThis.fetch;
  globalThis.fetch = ((url: string, init: RequestInit) =>
    url.includes(path) ? new Promise(() => {}) : fetchRest(url, init)) as typeof fetch;
  const { user } = show(
    <>
      <OrganizationSwitcher />
      <Palette onClose={() => {}} onShortcuts={() => {}} />
    </>,
  );
  await user.click(await screen.findByRole('option', { name: 'Switch to organisation Other' }));
  const button = await screen.findByText(shell.organization.switching);
  expect(button.closest('button')?.disabled).toBe(true);
  expect(screen.queryByRole('option', { name: 'Switch to organisation Other' })).toBeNull();
});

function Leave({ onGone }: { onGone: () => void }) {
  const ask = useLeaveQuestion();
  return (
    <button type="button" onClick={() => ask(onGone)}>
      leave
    </button>
  );
}

test('whoever signs out or changes the organisation with something on its way is asked', async () => {
  let went = 0;
  const letGo = holdReload();
  const { user } = show(
    <LeaveQuestion>
      <Leave onGone={() => went++} />
    </LeaveQuestion>,
  );
  const leave = screen.getByRole('button', { name: 'leave' });
  await user.click(leave);
  await user.click(await screen.findByRole('button', { name: ui.actions.cancel }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(went).toBe(0);
  await user.click(leave);
  await user.click(await screen.findByRole('button', { name: shell.leave.confirm }));
  expect(went).toBe(1);
  letGo();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(leave);
  await waitFor(() => expect(went).toBe(2));
  expect(screen.queryByRole('dialog')).toBeNull();
});
