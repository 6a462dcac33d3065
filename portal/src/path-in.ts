// The address of a page in another language.
import { isFault, type PageInput, pathOf } from '@gantry/contract/areas/portal/pages.ts';

/** A page that is not there leads home. */
export const pathIn = (
  { name, params, query = {} }: Pick<PageInput, 'name' | 'params'> & Partial<Pick<PageInput, 'query'>>,
  language: PageInput['language'],
): string => (isFault(name) ? pathOf({ name: 'home', language }) : pathOf({ name, language, params, query }));
