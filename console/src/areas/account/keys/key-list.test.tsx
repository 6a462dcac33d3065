// Keys of each sort, by one list: what each tab says, and how a key ends.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, type Played, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { words as parts } from '../../../parts/words/en.ts';
import { words as account } from '../words/en.ts';
import { ApiTokensTab } from './api-tokens-tab.tsx';
import { KubeconfigsTab } from './kubeconfigs-tab.tsx';
import { SshKeysTab } from './ssh-keys-tab.tsx';

playLayout();
const { answer, calls } = playAnswers();

const ME = 'GET /api/auth/v1/account/me';
const key = (remark: string) => ({
  ...{
    id: `key-${remark}`,
    remark,
    creator: 'ann',
    creator_id: 'acc-ann',
    scopes: ['view'],
    limits: null,
    last_used_time: null,
  },
  ...{ create_time: '2026-11-22T10:00:00Z', expiration_time: null, fingerprint: 'SHA256:abc', public_key: 'ssh-…' },
});
const listed = (...data: object[]): Played => ({
  body: { code: 0, message: 'ok', data, paginated: { page: 1, size: 100, total_num: data.length, total_page: 1 } },
});

const REMARK = account.keys.remark;
/** The usage of the last thirty days, by token. */
const USAGE = `GET /api/model/v1/usage?from=${new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10)}&by=token`;
const LAST = [account.expiry.label, ui.fields.createTime, ui.fields.actions];

interface Sort {
  Tab: ComponentType;
  path: string;
  create: string;
  empty: string;
  end: string;
  question: string;
  columns: readonly string[];
}
const SORTS: Readonly<Record<string, Sort>> = {
  'API tokens': {
    Tab: ApiTokensTab,
    path: '/account/v1/api-token',
    create: account.tokens.create,
    empty: account.tokens.emptyTitle,
    end: ui.actions.delete,
    question: account.deleteTitle.replace('%{name}', 'ci'),
    columns: [
      REMARK,
      ui.fields.creator,
      account.tokens.scopes,
      account.tokens.limits,
      account.tokens.usage,
      account.tokens.lastUsed,
      ...LAST,
    ],
  },
  kubeconfigs: {
    Tab: KubeconfigsTab,
    path: '/account/v1/kubeconfig',
    create: account.kubeconfigs.create,
    empty: account.kubeconfigs.emptyTitle,
    end: account.kubeconfigs.revoke,
    question: account.kubeconfigs.revokeTitle.replace('%{name}', 'ci'),
    columns: [REMARK, ui.fields.creator, ...LAST],
  },
  'SSH keys': {
    Tab: SshKeysTab,
    path: '/account/v1/pub-key',
    create: parts.sshKey.add,
    empty: account.keys.emptyTitle,
    end: ui.actions.delete,
    question: account.deleteTitle.replace('%{name}', 'ci'),
    columns: [REMARK, account.keys.fingerprint, ...LAST],
  },
};

const SUM = { key: 'key-ci', prompt_tokens: 1_200, completion_tokens: 34, amount: '0.617' };

function open({ Tab, path }: Sort, ...played: readonly Played[]) {
  answer(ME, playedResult({ account_id: 'acc-ann', role: 'owner' }));
  answer(USAGE, playedResult({ currency: 'USD', sums: [SUM] }));
  answer(`GET /api${path}?page=1&size=100`, ...played);
  render(<Tab />, { wrapper: appAround({ parts, account }) });
  return userEvent.setup();
}

test.each(Object.entries(SORTS))('%s: where there are none, one is made from there', async (_, sort) => {
  const user = open(sort, listed());
  await screen.findByText(sort.empty);
  await user.click(screen.getByRole('button', { name: sort.create }));
  await screen.findByRole('dialog', { name: sort.create });
});

test.each(Object.entries(SORTS))('%s: what cannot be read says why, and is read again', async (_, sort) => {
  const user = open(sort, playedRefusal('unavailable', 'Come again later.'), listed(key('ci')));
  await screen.findByText('Come again later.');
  await user.click(screen.getByRole('button', { name: ui.actions.retry }));
  await screen.findByText('ci');
});

test.each(Object.entries(SORTS))('%s: each ends after a question, whose refusal stays in it', async (_, sort) => {
  const user = open(sort, listed(key('ci')), listed());
  const remove = `DELETE /api${sort.path}/key-ci`;
  answer(remove, playedRefusal('unavailable', 'Come again later.'), { body: { code: 0, message: 'ok' } });
  const remover = await screen.findByRole('button', { name: `${sort.end}: ci` });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(sort.columns);
  await user.click(remover);
  const dialog = await screen.findByRole('dialog', { name: sort.question });
  const end = within(dialog).getByRole('button', { name: sort.end });
  await user.click(end);
  await within(dialog).findByText('Come again later.');
  await user.click(end);
  await screen.findByText(sort.empty);
  expect(calls(remove)).toBe(2);
});

test('a token says what models it has used', async () => {
  open(SORTS['API tokens'] as Sort, listed(key('ci'), key('idle')));
  const row = (await screen.findByText('ci')).closest('[role=row]') as HTMLElement;
  await within(row).findByText('1,234 tokens · $0.62');
  expect(screen.getAllByText(/ tokens · /)).toHaveLength(1);
});

test('ten SSH keys are the most, and the page says so', async () => {
  const ten = Array.from({ length: 10 }, (_, at) => key(`k${at}`));
  open(SORTS['SSH keys'] as Sort, listed(...ten));
  await screen.findByText('k0');
  expect((screen.getByRole('button', { name: parts.sshKey.add }) as HTMLButtonElement).disabled).toBe(true);
  screen.getByText(account.keys.full.replace('%{most}', '10'));
});
