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

/** Opens it in a tab: members are let in by a link that works once, because the address itself only leads them back to this page. */
export function useOpenService(): (service: Pick<ServiceView, 'id' | 'url' | 'access'>) => (() => void) | undefined {
  const may = useMay();
  const open = useCommand(CALLS.openServiceWeb, { success: false });
  return ({ id, url, access }) => {
    if (url === null || !isWebAddress(url)) return undefined;
    if (access === 'Members' && may(CALLS.openServiceWeb.id))
      return () => openInTab((done) => open.mutate({ params: { id } }, done));
    return () => void globalThis.open(url, '_blank', 'noreferrer,noopener');
  };
}

export function ServiceUrl({ service: { id, url, access } }: { service: Pick<ServiceView, 'id' | 'url' | 'access'> }) {
  const enterOf = useOpenService();
  if (url === null) return <span>–</span>;
  const enter = (event: MouseEvent) => {
    if (access !== 'Members') return;
    event.preventDefault();
    enterOf({ id, url, access })?.();
  };
  if (!isWebAddress(url)) return <span>{url}</span>;
  return (
    <Link href={url} target="_blank" rel="noreferrer noopener" onClick={enter}>
      {url.replace(/^https?:\/\//, '')}
    </Link>
  );
}
