// The organisation one is in.
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { Navigate, useParams } from 'react-router';
import { lazyPart } from '../../parts/lazy-part.ts';
import { PageTabs, tabAt } from '../../parts/page-tabs.tsx';
import { CreateOrganization } from './overview/create-organization.tsx';
import { useOrganizationWords } from './use-organization-words.ts';

const PATH = '/manage/organization';
const TABS = [
  {
    name: 'overview',
    Content: lazyPart(() => import('./overview/overview-tab.tsx'), 'OverviewTab'),
  },
  {
    name: 'members',
    Content: lazyPart(() => import('./members/members-tab.tsx'), 'MembersTab'),
  },
  {
    name: 'invitations',
    Content: lazyPart(() => import('./members/invitations-tab.tsx'), 'InvitationsTab'),
  },
  {
    name: 'spending',
    Content: lazyPart(() => import('./spending/spending-tab.tsx'), 'SpendingTab'),
  },
  { name: 'idle', Content: lazyPart(() => import('./idle/idle-tab.tsx'), 'IdleTab') },
  { name: 'roles', Content: lazyPart(() => import('./roles-tab.tsx'), 'RolesTab') },
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
