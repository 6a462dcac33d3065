// The organisation one is in.
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { lazy } from 'react';
import { Navigate, useParams } from 'react-router';
import { PageTabs, tabAt } from '../../parts/page-tabs.tsx';
import { CreateOrganization } from './overview/create-organization.tsx';
import { useOrganizationWords } from './use-organization-words.ts';

const PATH = '/manage/organization';
const TABS = [
  {
    name: 'overview',
    Content: lazy(() => import('./overview/overview-tab.tsx').then(({ OverviewTab }) => ({ default: OverviewTab }))),
  },
  {
    name: 'members',
    Content: lazy(() => import('./members/members-tab.tsx').then(({ MembersTab }) => ({ default: MembersTab }))),
  },
  {
    name: 'invitations',
    Content: lazy(() =>
      import('./members/invitations-tab.tsx').then(({ InvitationsTab }) => ({ default: InvitationsTab })),
    ),
  },
  {
    name: 'spending',
    Content: lazy(() => import('./spending/spending-tab.tsx').then(({ SpendingTab }) => ({ default: SpendingTab }))),
  },
  { name: 'idle', Content: lazy(() => import('./idle/idle-tab.tsx').then(({ IdleTab }) => ({ default: IdleTab }))) },
  { name: 'roles', Content: lazy(() => import('./roles-tab.tsx').then(({ RolesTab }) => ({ default: RolesTab }))) },
] as const;

export function OrganizationPage() {
  const t = useOrganizationWords();
  const shown = tabAt(TABS, useParams().tab);
  if (!shown) return <Navigate to={PATH} replace />;
  return (
    <>
      <PageHeader title={t('title')} lead={t(`leads.${shown.name}`)}>
        <CreateOrganization />
      </PageHeader>
      <PageTabs label={t('title')} path={PATH} tabs={TABS} shown={shown.name} labelOf={(name) => t(`tabs.${name}`)}>
        <shown.Content />
      </PageTabs>
    </>
  );
}
