// Evaluation: the list of evaluations, one with its scores and examples, several side by side, and the form of a new or changed one.
import type { Area } from '../../area.ts';
import { kindPages, pageOf } from '../../parts/area-pages.ts';
import { COMPARISON } from './paths.ts';

export const evaluationArea: Area = {
  name: 'evaluation',
  menus: () => import('./menus.ts'),
  words: ['workload', 'task', 'metrics'],
  pages: [
    ...kindPages('model/evaluation', {
      of: 'evaluations',
      list: {
        first: ['title', 'lead'],
        load: pageOf(() => import('./evaluation-list-page.tsx'), 'EvaluationListPage'),
      },
      create: {
        first: ['form.createTitle', 'form.createLead'],
        load: pageOf(() => import('./evaluation-pages.ts'), 'EvaluationCreatePage'),
      },
      one: pageOf(() => import('./evaluation-page.tsx'), 'EvaluationPage'),
      edit: pageOf(() => import('./evaluation-pages.ts'), 'EvaluationEditPage'),
    }),
    {
      // Beside the kind's own paths: an evaluation may have any name.
      path: COMPARISON,
      menu: 'model/evaluation',
      first: ['compare.title', 'compare.lead'],
      load: pageOf(() => import('./comparison-page.tsx'), 'ComparisonPage'),
    },
  ],
};
