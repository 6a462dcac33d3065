// What the gateway loads on a thread: one function, and everything that it needs.

import type { PageInput, PageName, RenderedPage } from '@gantry/contract/areas/portal/pages.ts';
import { manifest } from './client-files.ts';
import type { AnyPage } from './page-module.ts';
import { page as about } from './pages/about.tsx';
import { page as apiArea } from './pages/api-area.tsx';
import { page as apiReference } from './pages/api-reference.tsx';
import { page as article } from './pages/article.tsx';
import { page as computing } from './pages/computing.tsx';
import { page as computingCenter } from './pages/computing-center.tsx';
import { page as contact } from './pages/contact.tsx';
import { page as dataset } from './pages/dataset.tsx';
import { page as datasetDetail } from './pages/dataset-detail.tsx';
import { page as helpCenter } from './pages/help-center.tsx';
import { page as home } from './pages/home.tsx';
import { page as model } from './pages/model.tsx';
import { page as modelLibrary } from './pages/model-library.tsx';
import { page as overviewPage } from './pages/overview-page.tsx';
import { page as privacy } from './pages/privacy.tsx';
import { page as status } from './pages/status.tsx';
import { page as terms } from './pages/terms.tsx';
import { renderPage } from './render.tsx';

const PAGES: Readonly<Record<PageName, AnyPage>> = {
  ...{ home, computingCenter, computing, modelLibrary, model, dataset, datasetDetail },
  ...{ helpCenter, article, apiReference, apiArea, about, contact, terms, privacy, status, overviewPage },
};

export const render = (input: PageInput): RenderedPage => renderPage(input, PAGES, manifest);
