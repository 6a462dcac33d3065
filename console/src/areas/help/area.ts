import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const helpArea: Area = {
  name: 'help',
  pages: [
    {
      path: '/help',
      frame: 'open',
      load: pageOf(() => import('./help-page.tsx'), 'HelpPage'),
    },
    {
      path: '/docs',
      frame: 'open',
      load: pageOf(() => import('./docs-page.tsx'), 'DocsPage'),
    },
    {
      path: '/contact',
      frame: 'open',
      load: pageOf(() => import('./contact-page.tsx'), 'ContactPage'),
    },
    {
      path: '/terms',
      frame: 'open',
      load: pageOf(() => import('./legal-page.tsx'), 'TermsPage'),
    },
    {
      path: '/privacy',
      frame: 'open',
      load: pageOf(() => import('./legal-page.tsx'), 'PrivacyPage'),
    },
  ],
};
