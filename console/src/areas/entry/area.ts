import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const entryArea: Area = {
  name: 'entry',
  pages: [
    {
      path: '/login',
      frame: 'open',
      first: ['login.title', 'login.lead', 'offers.lead'],
      load: pageOf(() => import('./login-page.tsx'), 'LoginPage'),
      ahead: [CALLS.listGpuSpecs, CALLS.getBillingConfig],
    },
    {
      path: '/register',
      frame: 'open',
      load: pageOf(() => import('./register-page.tsx'), 'RegisterPage'),
    },
    {
      path: '/forgot',
      frame: 'open',
      load: pageOf(() => import('./forgot-page.tsx'), 'ForgotPage'),
    },
  ],
};
