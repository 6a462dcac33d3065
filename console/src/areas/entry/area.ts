import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Area } from '../../area.ts';

export const entryArea: Area = {
  name: 'entry',
  pages: [
    {
      path: '/login',
      frame: 'open',
      first: ['login.title', 'login.lead', 'offers.lead'],
      load: () => import('./login-page.tsx').then(({ LoginPage }) => ({ Page: LoginPage })),
      ahead: [CALLS.listGpuSpecs, CALLS.getBillingConfig],
    },
    {
      path: '/register',
      frame: 'open',
      load: () => import('./register-page.tsx').then(({ RegisterPage }) => ({ Page: RegisterPage })),
    },
    {
      path: '/forgot',
      frame: 'open',
      load: () => import('./forgot-page.tsx').then(({ ForgotPage }) => ({ Page: ForgotPage })),
    },
  ],
};
