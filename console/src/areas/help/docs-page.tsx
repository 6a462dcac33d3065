// The documentation that the operator names, or our own help.

import { linkOf } from '@gantry/ui/format/contact-link.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { OpenPage } from '../../parts/open-page.tsx';

export function DocsPage() {
  const ui = useUiWords();
  const { data, error } = useSettings();
  const docs = data && linkOf(data.docs);
  useEffect(() => {
    if (docs !== undefined) location.replace(docs);
  }, [docs]);
  if (error || (data && docs === undefined)) return <Navigate to="/help" replace />;
  return (
    <OpenPage title={ui('links.docs')} maxWidth={1100}>
      <LoadingRows />
    </OpenPage>
  );
}
