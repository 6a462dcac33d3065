// The installation in structured data.
import type { Brand, Site } from '@gantry/contract/areas/portal/pages.ts';
import type { LinkedData } from '../page-module.ts';

export const publisherOf = ({ brand, site }: { readonly brand: Brand; readonly site: Site }): LinkedData => ({
  '@type': 'Organization',
  name: brand.name,
  url: site.portal,
  logo: `${site.portal}${brand.logo}`,
});
