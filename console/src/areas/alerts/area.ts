// Alert policies and the alarms that they raise.
import type { Area } from '../../area.ts';
import { kindPages, pageOf } from '../../parts/area-pages.ts';

export const alertArea: Area = {
  name: 'alerts',
  menus: () => import('./menus.ts'),
  words: ['workload', 'metrics'],
  pages: [
    ...kindPages('monitor/policy', {
      of: 'alertpolicies',
      list: {
        first: ['policies.title', 'policies.lead'],
        load: pageOf(() => import('./policy-list-page.tsx'), 'PolicyListPage'),
      },
      create: {
        first: ['form.createTitle', 'form.createLead'],
        load: pageOf(() => import('./policy-create-page.tsx'), 'PolicyCreatePage'),
      },
      one: pageOf(() => import('./policy-page.tsx'), 'PolicyPage'),
      edit: pageOf(() => import('./policy-edit-page.tsx'), 'PolicyEditPage'),
    }),
    {
      path: '/monitor/alarm',
      menu: 'monitor/alarm',
      first: ['alarms.title', 'alarms.lead'],
      load: pageOf(() => import('./alarm-list-page.tsx'), 'AlarmListPage'),
    },
    {
      path: '/monitor/alarm/:id',
      menu: 'monitor/alarm',
      of: 'alarms',
      load: pageOf(() => import('./alarm-page.tsx'), 'AlarmPage'),
    },
    {
      path: '/monitor/contact',
      menu: 'monitor/policy',
      first: ['contacts.page', 'contacts.pageLead'],
      load: pageOf(() => import('./contact-page.tsx'), 'ContactPage'),
    },
    {
      path: '/monitor/unsubscribe',
      frame: 'open',
      first: ['unsubscribe.title'],
      load: pageOf(() => import('./mail-link-page.tsx'), 'UnsubscribePage'),
    },
    {
      path: '/monitor/mute',
      frame: 'open',
      first: ['mute.title'],
      load: pageOf(() => import('./mail-link-page.tsx'), 'MutePage'),
    },
  ],
};
