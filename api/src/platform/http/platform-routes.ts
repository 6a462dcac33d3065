// Routes about the installation as a whole.

import { PLATFORM_ROUTES, type settings } from '@gantry/contract/areas/settings/platform.ts';
import { openapiDocument } from '@gantry/contract/http/openapi.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import type * as z from 'zod';
import { type Served, serve } from './serve.ts';

export type PlatformSettings = z.input<typeof settings>;

/** `settings` gives them as they are now. */
export function platformRoutes(settings: () => PlatformSettings): Served[] {
  const document = openapiDocument(Object.values(ROUTES), settings().version);
  return [serve(PLATFORM_ROUTES.getSettings, () => settings()), serve(PLATFORM_ROUTES.getOpenapi, () => document)];
}
