import type { Area } from '../../area.ts';

export const helpArea: Area = {
  name: 'help',
  pages: [
    {
      path: '/help',
      frame: 'open',
      load: () => import('./help-page.tsx').then(({ HelpPage }) => ({ Page: HelpPage })),
    },
    {
      path: '/docs',
      frame: 'open',
      load: () => import('./docs-page.tsx').then(({ DocsPage }) => ({ Page: DocsPage })),
    },
    {
      path: '/contact',
      frame: 'open',
      load: () => import('./contact-page.tsx').then(({ ContactPage }) => ({ Page: ContactPage })),
    },
    {
      path: '/terms',
      frame: 'open',
      load: () => import('./legal-page.tsx').then(({ TermsPage }) => ({ Page: TermsPage })),
    },
    {
      path: '/privacy',
      frame: 'open',
      load: () => import('./legal-page.tsx').then(({ PrivacyPage }) => ({ Page: PrivacyPage })),
    },
  ],
};
