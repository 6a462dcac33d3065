// The surroundings of every page, for everybody. Loaded with the first page; parts for logged-in people load with their pages.
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
