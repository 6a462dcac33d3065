// Alert policies and the alarms that they raise.
import type { Area } from '../../area.ts';

export const alertArea: Area = {
  name: 'alerts',
  menus: () => import('./menus.ts'),
  words: ['workload', 'metrics'],
  pages: [
    {
      path: '/monitor/policy',
      menu: 'monitor/policy',
      first: ['policies.title', 'policies.lead'],
      load: () => import('./policy-list-page.tsx').then(({ PolicyListPage }) => ({ Page: PolicyListPage })),
    },
    {
      path: '/monitor/policy/create',
      menu: 'monitor/policy',
      first: ['form.createTitle', 'form.createLead'],
      load: () => import('./policy-create-page.tsx').then(({ PolicyCreatePage }) => ({ Page: PolicyCreatePage })),
    },
    {
      path: '/monitor/policy/:id/:tab?',
      menu: 'monitor/policy',
      of: 'alertpolicies',
      load: () => import('./policy-page.tsx').then(({ PolicyPage }) => ({ Page: PolicyPage })),
    },
    {
      path: '/monitor/policy/:id/edit',
      menu: 'monitor/policy',
      load: () => import('./policy-edit-page.tsx').then(({ PolicyEditPage }) => ({ Page: PolicyEditPage })),
    },
    {
      path: '/monitor/alarm',
      menu: 'monitor/alarm',
      first: ['alarms.title', 'alarms.lead'],
      load: () => import('./alarm-list-page.tsx').then(({ AlarmListPage }) => ({ Page: AlarmListPage })),
    },
    {
      path: '/monitor/alarm/:id',
      menu: 'monitor/alarm',
      of: 'alarms',
      load: () => import('./alarm-page.tsx').then(({ AlarmPage }) => ({ Page: AlarmPage })),
    },
    {
      path: '/monitor/contact',
      menu: 'monitor/policy',
      first: ['contacts.page', 'contacts.pageLead'],
      load: () => import('./contact-page.tsx').then(({ ContactPage }) => ({ Page: ContactPage })),
    },
    {
      path: '/monitor/unsubscribe',
      frame: 'open',
      first: ['unsubscribe.title'],
      load: () => import('./unsubscribe-page.tsx').then(({ UnsubscribePage }) => ({ Page: UnsubscribePage })),
    },
    {
      path: '/monitor/mute',
      frame: 'open',
      first: ['mute.title'],
      load: () => import('./mute-page.tsx').then(({ MutePage }) => ({ Page: MutePage })),
    },
  ],
};
