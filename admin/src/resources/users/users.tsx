// An account: what it is, why its person cannot sign in, how it comes in, and what was done to it.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Card from '@mui/material/Card';
import { usePermissions, useRecordContext } from 'react-admin';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { AuditOf, PartList } from '../../parts/part-list.tsx';
import { useTableWords } from '../../table-words.ts';
import type { words as english } from '../../words/en/people.ts';
import { AccessAnswer } from './access-answer.tsx';
import { UserCommands } from './user-commands.tsx';

export const Show = () => (
  <AdminShow actions={<UserCommands />}>
    <UserPage />
  </AdminShow>
);

const FACTS = [
  'id',
  'name',
  'email',
  'phone',
  'kind',
  'locale',
  'second_factor',
  'platform_roles',
  'disabled_at',
  'created_at',
] as const;

function UserPage() {
  const t = useAreaWords<typeof english>('people');
  const { one } = useTableWords('users');
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const user = useRecordContext<AdminRow<'users'>>();
  if (!user) return null;
  const mayAudit = permissions?.has('manage/audit') ?? false;
  return (
    <PageTabs
      label={one}
      tabs={[
        {
          name: 'overview',
          label: t('tabs.overview'),
          content: (
            <Card sx={{ p: 2 }}>
              <FactList name="users" fields={FACTS} />
            </Card>
          ),
        },
        { name: 'access', label: t('tabs.access'), content: <AccessAnswer id={user.id} name={user.name} /> },
        {
          name: 'sign-ins',
          label: t('tabs.signIns'),
          content: <PartList name="sign-ins" target="account_id" rowClick={false} />,
        },
        {
          name: 'sessions',
          label: t('tabs.sessions'),
          content: <PartList name="sessions" target="account_id" rowClick={false} />,
        },
        {
          name: 'organizations',
          label: t('tabs.organizations'),
          content: (
            <PartList
              name="members"
              target="account_id"
              columns={['organization_id', 'role', 'created_at']}
              rowClick={false}
            />
          ),
        },
        ...(mayAudit
          ? [
              {
                name: 'about',
                label: t('tabs.about'),
                content: <AuditOf object={`Account/${user.id}`} />,
              },
              { name: 'acted', label: t('tabs.acted'), content: <PartList name="audit-log" target="actor_id" /> },
            ]
          : []),
      ]}
    />
  );
}
