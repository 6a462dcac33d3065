import type { Area } from '../../area.ts';

const load = () => import('./organization-page.tsx').then(({ OrganizationPage }) => ({ Page: OrganizationPage }));

export const organizationArea: Area = {
  name: 'organization',
  pages: [
    { path: '/manage/organization', menu: 'manage/organization', load },
    { path: '/manage/organization/:tab', menu: 'manage/organization', load },
  ],
};
