// My account.
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { Navigate, useParams } from 'react-router';
import { lazyPart } from '../../parts/lazy-part.ts';
import { PageTabs, tabAt } from '../../parts/page-tabs.tsx';
import { useAccountWords } from './use-account-words.ts';

const PATH = '/manage/account';
const TABS = [
  {
    name: 'profile',
    Content: lazyPart(() => import('./profile/profile-tab.tsx'), 'ProfileTab'),
  },
  {
    name: 'security',
    Content: lazyPart(() => import('./security/security-tab.tsx'), 'SecurityTab'),
  },
  {
    name: 'realName',
    slug: 'real-name',
    Content: lazyPart(() => import('./real-name/real-name-tab.tsx'), 'RealNameTab'),
  },
  {
    name: 'keys',
    Content: lazyPart(() => import('./keys/ssh-keys-tab.tsx'), 'SshKeysTab'),
  },
  {
    name: 'tokens',
    Content: lazyPart(() => import('./keys/api-tokens-tab.tsx'), 'ApiTokensTab'),
  },
  {
    name: 'kubeconfigs',
    slug: 'kubeconfig',
    Content: lazyPart(() => import('./keys/kubeconfigs-tab.tsx'), 'KubeconfigsTab'),
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
