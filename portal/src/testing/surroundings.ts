// Where a page stands in tests, and how the installation presents itself there.
import type { PageInput } from '@gantry/contract/areas/portal/pages.ts';

export const SURROUNDINGS: Pick<PageInput, 'site' | 'brand'> = {
  site: { portal: 'https://www.example.org', console: 'https://console.example.org' },
  brand: {
    ...{ name: 'Gantry', logo: '/favicon.svg', accent: '', footer: '', legalNumber: '' },
    market: 'overseas',
  },
};
