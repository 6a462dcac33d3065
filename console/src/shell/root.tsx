// What is around every page, whoever sees it. It comes with the first page: what only the signed-in need comes with theirs.
import { Outlet, ScrollRestoration } from 'react-router';
import type { PageRow } from '../area.ts';
import { NoticeTeller } from './notice-teller.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { PageProgress } from './page-progress.tsx';
import { PagesContext, usePage } from './pages.tsx';
import { useVersionCheck } from './use-version-check.ts';

export function Root({ pages }: { pages: readonly PageRow[] }) {
  useVersionCheck();
  const page = usePage();
  return (
    <PagesContext value={pages}>
      <NoticeTeller isSignedIn={page !== undefined && page.frame !== 'open'} />
      <OfflineBanner />
      <PageProgress />
      <Outlet />
      <ScrollRestoration />
    </PagesContext>
  );
}
