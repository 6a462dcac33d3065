// My account.
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { lazy } from 'react';
import { Navigate, useParams } from 'react-router';
import { PageTabs, tabAt } from '../../parts/page-tabs.tsx';
import { useAccountWords } from './use-account-words.ts';

const PATH = '/manage/account';
const TABS = [
  {
    name: 'profile',
    Content: lazy(() => import('./profile/profile-tab.tsx').then(({ ProfileTab }) => ({ default: ProfileTab }))),
  },
  {
    name: 'security',
    Content: lazy(() => import('./security/security-tab.tsx').then(({ SecurityTab }) => ({ default: SecurityTab }))),
  },
  {
    name: 'realName',
    slug: 'real-name',
    Content: lazy(() => import('./real-name/real-name-tab.tsx').then(({ RealNameTab }) => ({ default: RealNameTab }))),
  },
  {
    name: 'keys',
    Content: lazy(() => import('./keys/ssh-keys-tab.tsx').then(({ SshKeysTab }) => ({ default: SshKeysTab }))),
  },
  {
    name: 'tokens',
    Content: lazy(() => import('./keys/api-tokens-tab.tsx').then(({ ApiTokensTab }) => ({ default: ApiTokensTab }))),
  },
  {
    name: 'kubeconfigs',
    slug: 'kubeconfig',
    Content: lazy(() =>
      import('./keys/kubeconfigs-tab.tsx').then(({ KubeconfigsTab }) => ({ default: KubeconfigsTab })),
    ),
  },
] as const;

export function AccountPage() {
  const t = useAccountWords();
  const shown = tabAt(TABS, useParams().tab);
  if (!shown) return <Navigate to={PATH} replace />;
  return (
    <>
      <PageHeader title={t('title')} lead={t(`leads.${shown.name}`)} />
      <PageTabs label={t('title')} path={PATH} tabs={TABS} shown={shown.name} labelOf={(name) => t(`tabs.${name}`)}>
        <shown.Content />
      </PageTabs>
    </>
  );
}
