// Every route of the API, one area each. The gateway does not start while one is not served.
import type { RouteFacts } from './define-route.ts';
import { PLATFORM_ROUTES } from './platform.ts';

export const ROUTES: Readonly<Record<string, RouteFacts>> = { ...PLATFORM_ROUTES };
