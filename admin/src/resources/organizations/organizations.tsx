// An organisation: how it stands, who is in it, what it has, and what staff did to it.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { usePermissions, useRecordContext } from 'react-admin';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { AuditOf, PartList } from '../../parts/part-list.tsx';
import { useTableWords } from '../../table-words.ts';
import type { words as english } from '../../words/en/people.ts';
import { OrganizationCommands } from './organization-commands.tsx';
import { OrganizationSummary } from './organization-summary.tsx';

export const Show = () => (
  <AdminShow actions={<OrganizationCommands />}>
    <OrganizationPage />
  </AdminShow>
);

const FACTS = ['id', 'name', 'description', 'personal_of', 'phase', 'currency', 'members', 'created_at', 'deleted_at'];

function OrganizationPage() {
  const t = useAreaWords<typeof english>('people');
  const { one } = useTableWords('organizations');
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const organization = useRecordContext<AdminRow<'organizations'>>();
  if (!organization) return null;
  const mayAudit = permissions?.has('manage/audit') ?? false;
  return (
    <PageTabs
      label={one}
      tabs={[
        {
          name: 'overview',
          label: t('tabs.overview'),
          content: (
            <Box sx={{ display: 'grid', gap: 2 }}>
              <Card sx={{ p: 2 }}>
                <FactList name="organizations" fields={FACTS} />
              </Card>
              <OrganizationSummary id={organization.id} />
            </Box>
          ),
        },
        {
          name: 'members',
          label: t('tabs.members'),
          content: (
            <PartList
              name="members"
              target="organization_id"
              columns={['account_id', 'role', 'disabled_at', 'created_at']}
              rowClick={false}
            />
          ),
        },
        {
          name: 'views',
          label: t('tabs.views'),
          content: <PartList name="views" target="organization_id" rowClick={false} />,
        },
        ...(mayAudit
          ? [
              {
                name: 'audit',
                label: t('tabs.audit'),
                content: <PartList name="audit-log" target="organization_id" />,
              },
              {
                name: 'about',
                label: t('tabs.aboutIt'),
                content: <AuditOf object={`Organization/${organization.id}`} />,
              },
            ]
          : []),
      ]}
    />
  );
}
