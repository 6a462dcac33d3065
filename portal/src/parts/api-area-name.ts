// What an area of the API is called.
import type { PortalWords } from '../page-module.ts';
import { words } from '../words/en.ts';

const { areas } = words.api;

/** An area without a name of its own is called as calls have it. */
export const areaName = (t: PortalWords, area: string): string =>
  Object.hasOwn(areas, area) ? t(`api.areas.${area as 'v1'}`) : area;
