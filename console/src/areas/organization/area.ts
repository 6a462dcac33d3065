import type { Area } from '../../area.ts';

const load = () => import('./organization-page.tsx').then(({ OrganizationPage }) => ({ Page: OrganizationPage }));

export const organizationArea: Area = {
  name: 'organization',
  pages: [
    { path: '/manage/organization', menu: 'manage/organization', load },
    { path: '/manage/organization/:tab', menu: 'manage/organization', load },
    {
      // For whoever is signed in, whatever they may do where they are.
      path: '/invitations',
      load: () => import('./my-invitations-page.tsx').then(({ MyInvitationsPage }) => ({ Page: MyInvitationsPage })),
    },
  ],
};
