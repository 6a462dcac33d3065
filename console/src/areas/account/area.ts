// What concerns a person and nobody else: profile, proofs, real name, and the keys they come in by.
import type { Area } from '../../area.ts';

const load = () => import('./account-page.tsx').then(({ AccountPage }) => ({ Page: AccountPage }));

export const accountArea: Area = {
  name: 'account',
  pages: [
    { path: '/manage/account', menu: 'manage/account', load },
    { path: '/manage/account/:tab', menu: 'manage/account', load },
  ],
};
