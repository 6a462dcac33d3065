// Services: what objects that are served have, and nothing of their own.
import { START_FIELDS, TEMPLATE_FIELDS } from '@gantry/contract/kinds/container-service-schema.ts';
import type { KindHooks } from './hooks.ts';
import { servedHooks } from './served.ts';

export const serviceHooks: KindHooks = servedHooks(START_FIELDS, TEMPLATE_FIELDS);
