// The link to a published service.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import Link from '@mui/material/Link';
import type { MouseEvent } from 'react';
import { openInTab } from '../../../parts/open-in-tab.ts';

/** Only what is a web address becomes a link. */
const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url);

export function ServiceUrl({ service: { id, url, access } }: { service: Pick<ServiceView, 'id' | 'url' | 'access'> }) {
  const may = useMay();
  const open = useCommand(CALLS.openServiceWeb, { success: false });
  if (url === null) return <span>–</span>;
  // The address itself only leads members back to this page: they are let in by a link that works once.
  const enter = (event: MouseEvent) => {
    if (access !== 'Members' || !may(CALLS.openServiceWeb.id)) return;
    event.preventDefault();
    openInTab((done) => open.mutate({ params: { id } }, done));
  };
  if (!isWebAddress(url)) return <span>{url}</span>;
  return (
    <Link href={url} target="_blank" rel="noreferrer noopener" onClick={enter}>
      {url.replace(/^https?:\/\//, '')}
    </Link>
  );
}
