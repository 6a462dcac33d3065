// Pages about the person alone: profile, security, real name, and credentials.
import type { Area } from '../../area.ts';

const load = () => import('./account-page.tsx').then(({ AccountPage }) => ({ Page: AccountPage }));

export const accountArea: Area = {
  name: 'account',
  menus: () => import('./menus.ts'),
  pages: [
    { path: '/manage/account', menu: 'manage/account', load },
    { path: '/manage/account/:tab', menu: 'manage/account', load },
  ],
};
