// Types that the pages of an organisation share.
import type { ItemOf, OutputOf } from '@gantry/contract/http/call.ts';
import type { ORGANIZATION_ROUTES } from '@gantry/contract/http/organization.ts';

export type OrganizationDetail = OutputOf<typeof ORGANIZATION_ROUTES.getMyOrganization>;
export type Member = ItemOf<typeof ORGANIZATION_ROUTES.listMembers>;
