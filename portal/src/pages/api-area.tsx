// One area of the API reference: each call with what it needs, its fields, its answer and its refusals.
import type { ApiCallView } from '@gantry/contract/areas/portal/api-reference.ts';
import { pathOf } from '@gantry/contract/areas/portal/pages.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { PageModule, Shown } from '../page-module.ts';
import { areaName } from '../parts/api-area-name.ts';
import { ApiErrors, ApiFields } from '../parts/api-fields.tsx';
import { Kept } from '../parts/kept.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';

export const page: PageModule<'apiArea'> = {
  head: (t, { data: { readApiArea: area } }) => ({
    title: `${t('api.title')}: ${areaName(t, area.area)}`,
    description: t('api.describe', { area: areaName(t, area.area) }),
  }),
  Page: (shown) => <Kept>{typeof window === 'undefined' ? <Area {...shown} /> : null}</Kept>,
};

function Area({ data: { readApiArea: found }, language }: Shown<'apiArea'>) {
  const t = usePortalWords();
  return (
    <>
      <Link href={pathOf({ name: 'apiReference', language })} underline="hover" sx={{ fontSize: 14 }}>
        {t('api.title')}
      </Link>
      <PageTitle title={areaName(t, found.area)} />
      <Box component="nav" aria-label={t('help.contents')} sx={{ my: 2, fontSize: 14, overflowWrap: 'anywhere' }}>
        <Box component="ul" sx={{ pl: 2.5, m: 0 }}>
          {found.calls.map(({ id, method, path }) => (
            <li key={id}>
              <Link href={`#${id}`} underline="hover">
                {method} {path}
              </Link>
            </li>
          ))}
        </Box>
      </Box>
      {found.calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </>
  );
}

function Call({ call }: { call: ApiCallView }) {
  const t = usePortalWords();
  const { id, method, path, summary, needs, right, body, answer, errors } = call;
  const parts = [
    { title: t('api.inPath'), fields: call.path_fields },
    { title: t('api.inQuery'), fields: call.query_fields },
    { title: t('api.inHeader'), fields: call.header_fields },
    ...(body ? [{ title: t('api.body', { type: body.type }), fields: body }] : []),
    { title: t('api.answer', { status: answer.status, type: answer.type || '–' }), fields: answer },
  ];
  return (
    <Box component="section" aria-labelledby={id} sx={{ mt: 4, pt: 3, borderTop: 1, borderColor: 'divider' }}>
      <Typography variant="h2" id={id} sx={{ fontFamily: MONO, fontSize: 17, overflowWrap: 'anywhere' }}>
        {method} {path}
      </Typography>
      <Typography lang="en" sx={{ mt: 1 }}>
        {summary}
      </Typography>
      <Typography variant="body2" color="text.secondary" sx={{ mt: 0.5 }}>
        <Coded
          text={right ? t('api.needs.right', { right }) : t(`api.needs.${needs as 'nothing' | 'account' | 'token'}`)}
        />
      </Typography>
      {parts
        .filter(({ fields }, at) => fields.items.length > 0 || at === parts.length - 1)
        .map(({ title, fields }) => (
          <ApiFields key={title} {...{ title, fields, of: `${method} ${path}` }} isAnswer={fields === answer} />
        ))}
      {errors.length > 0 && (
        <>
          <Typography variant="h3" sx={{ mt: 2, mb: 0.5 }}>
            {t('api.errors')}
          </Typography>
          <ApiErrors label={`${t('api.errors')}: ${method} ${path}`} errors={errors} />
        </>
      )}
    </Box>
  );
}

/** Every other part stands between backticks, as in Markdown. */
const Coded = ({ text }: { text: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their order
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
