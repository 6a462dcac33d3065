// How models are called: what that has used, and names for several deployments.
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const modelCallsArea: Area = {
  name: 'inference',
  words: ['workload'],
  pages: [
    {
      path: '/model/usage',
      menu: 'model/deployment',
      first: ['usage.title', 'usage.lead'],
      load: pageOf(() => import('./usage-page.tsx'), 'UsagePage'),
    },
    {
      path: '/model/alias',
      menu: 'model/deployment',
      first: ['aliases.title', 'aliases.lead'],
      load: pageOf(() => import('./alias-page.tsx'), 'AliasPage'),
    },
  ],
};
