// How models are called: what that has used, and names for several deployments.
import type { Area } from '../../area.ts';

export const modelCallsArea: Area = {
  name: 'inference',
  words: ['workload'],
  pages: [
    {
      path: '/model/usage',
      menu: 'model/deployment',
      first: ['usage.title', 'usage.lead'],
      load: () => import('./usage-page.tsx').then(({ UsagePage }) => ({ Page: UsagePage })),
    },
    {
      path: '/model/alias',
      menu: 'model/deployment',
      first: ['aliases.title', 'aliases.lead'],
      load: () => import('./alias-page.tsx').then(({ AliasPage }) => ({ Page: AliasPage })),
    },
  ],
};
