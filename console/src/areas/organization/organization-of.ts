// Types that the pages of an organisation share.

import type { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import type { ItemOf, OutputOf } from '@gantry/contract/http/call.ts';

export type OrganizationDetail = OutputOf<typeof ORGANIZATION_ROUTES.getMyOrganization>;
export type Member = ItemOf<typeof ORGANIZATION_ROUTES.listMembers>;
