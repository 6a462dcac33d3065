// The pages for an address that has none, and for what was taken off.
import { type FaultName, type PageInput, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import { LinkButton } from '../parts/link-button.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';

export function NotFound({ name, language }: { name: FaultName } & Pick<PageInput, 'language'>) {
  const t = usePortalWords();
  return (
    <>
      <PageTitle title={t(`${name}.title`)} line={t(`${name}.line`)} />
      <Box sx={{ mt: 2 }}>
        <LinkButton href={pathOf({ name: 'home', language })} isMain>
          {t('notFound.home')}
        </LinkButton>
      </Box>
    </>
  );
}
