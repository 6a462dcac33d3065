// Fine-tuning: the list of tasks, one task with its curves and checkpoints, and the form of a new or changed one.
import type { Area } from '../../area.ts';
import { kindPages, pageOf } from '../../parts/area-pages.ts';

export const tuningArea: Area = {
  name: 'tuning',
  menus: () => import('./menus.ts'),
  words: ['workload', 'task', 'metrics', 'curves'],
  pages: [
    ...kindPages('model/finetune', {
      of: 'finetunes',
      list: {
        first: ['title', 'lead'],
        load: pageOf(() => import('./tuning-list-page.tsx'), 'TuningListPage'),
      },
      create: {
        first: ['form.createTitle', 'form.createLead'],
        load: pageOf(() => import('./tuning-pages.ts'), 'TuningCreatePage'),
      },
      one: pageOf(() => import('./tuning-page.tsx'), 'TuningPage'),
      edit: pageOf(() => import('./tuning-pages.ts'), 'TuningEditPage'),
    }),
  ],
};
