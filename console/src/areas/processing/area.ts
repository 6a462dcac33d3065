// Data processing: the list of tasks, one task with its units, and the form of a new or changed one.
import type { Area } from '../../area.ts';
import { kindPages, pageOf } from '../../parts/area-pages.ts';

export const processingArea: Area = {
  name: 'processing',
  menus: () => import('./menus.ts'),
  words: ['workload', 'task', 'metrics', 'files'],
  pages: [
    ...kindPages('data/processing', {
      of: 'dataprocesses',
      list: {
        first: ['title', 'lead'],
        load: pageOf(() => import('./processing-list-page.tsx'), 'ProcessingListPage'),
      },
      create: {
        first: ['form.createTitle', 'form.createLead'],
        load: pageOf(() => import('./processing-pages.ts'), 'ProcessingCreatePage'),
      },
      one: pageOf(() => import('./processing-page.tsx'), 'ProcessingPage'),
      edit: pageOf(() => import('./processing-pages.ts'), 'ProcessingEditPage'),
    }),
  ],
};
