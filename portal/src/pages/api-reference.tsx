// The API reference: its areas, and the refusals that any call may answer with.
import { pathOf } from '@gantry/contract/areas/portal/pages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { PageModule, PortalWords, Shown } from '../page-module.ts';
import { areaName } from '../parts/api-area-name.ts';
import { ApiErrors } from '../parts/api-fields.tsx';
import { Kept } from '../parts/kept.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WideTable } from '../parts/wide-table.tsx';

export const page: PageModule<'apiReference'> = {
  head: (t) => ({ title: t('api.title'), description: t('api.line') }),
  Page: (shown) => <Kept>{typeof window === 'undefined' ? <Reference {...shown} /> : null}</Kept>,
};

function Reference({ data: { listApiAreas: reference }, language, site }: Shown<'apiReference'>) {
  const t = usePortalWords();
  return (
    <>
      <Link href={pathOf({ name: 'helpCenter', language })} underline="hover" sx={{ fontSize: 14 }}>
        {t('help.all')}
      </Link>
      <PageTitle title={t('api.title')} line={t('api.line')} />
      <Box sx={{ my: 3, maxWidth: '46rem', display: 'grid', gap: 1.5 }}>
        <Typography>
          {t('api.address')} <code>{`${site.console}/api`}</code>
        </Typography>
        <Typography>
          {t('api.token')} <code>Authorization: Bearer $GANTRY_TOKEN</code>
        </Typography>
        <Typography>
          {t('api.english')} {t('api.staff')} <a href={`${site.console}/api/openapi.json`}>OpenAPI</a>
        </Typography>
      </Box>
      {!reference && <Typography>{t('help.failed')}</Typography>}
      {reference && (
        <>
          <WideTable label={t('api.areaList')} head={[t('api.area'), t('api.calls')]}>
            {byName(t, language, reference.areas).map(({ area, calls }) => (
              <tr key={area}>
                <td>
                  <a href={pathOf({ name: 'apiArea', language, params: { area } })}>{areaName(t, area)}</a>
                </td>
                <td>{calls}</td>
              </tr>
            ))}
          </WideTable>
          <Typography variant="h2" id="errors" sx={{ mt: 4, mb: 1.5 }}>
            {t('api.everyError')}
          </Typography>
          <ApiErrors label={t('api.everyError')} errors={reference.errors} />
        </>
      )}
    </>
  );
}

/** By what they are called, not by their addresses. */
const byName = <A extends { area: string }>(t: PortalWords, language: Language, areas: readonly A[]): readonly A[] => {
  const { compare } = new Intl.Collator(language);
  return areas.toSorted((a, b) => compare(areaName(t, a.area), areaName(t, b.area)));
};
