import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

const load = () => import('./organization-page.tsx').then(({ OrganizationPage }) => ({ Page: OrganizationPage }));

export const organizationArea: Area = {
  name: 'organization',
  menus: () => import('./menus.ts'),
  pages: [
    { path: '/manage/organization', menu: 'manage/organization', load },
    { path: '/manage/organization/:tab', menu: 'manage/organization', load },
    {
      // For everybody who is logged in, whatever their role in the current organisation.
      path: '/invitations',
      load: pageOf(() => import('./my-invitations-page.tsx'), 'MyInvitationsPage'),
    },
  ],
};
