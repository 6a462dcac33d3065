// Terms and privacy, in the version that people accept: what staff published for the portal as well, or the general text that the product
// comes with.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { LEGAL_SECTIONS } from '@gantry/ui/legal/sections.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Suspense } from 'react';
import { lazyPart } from '../../parts/lazy-part.ts';
import { OpenPage } from '../../parts/open-page.tsx';
import { Blocks } from './blocks.tsx';
import { useHelpWords } from './use-help-words.ts';

/** The Markdown reader weighs more than the rest of the page. */
const Markdown = lazyPart(() => import('@gantry/ui/widgets/markdown.tsx'), 'Markdown');

export const TermsPage = () => <LegalPage page="terms" written={useCall(CALLS.readTerms, {})} />;
export const PrivacyPage = () => <LegalPage page="privacy" written={useCall(CALLS.readPrivacy, {})} />;

interface LegalPageProps {
  page: keyof typeof LEGAL_SECTIONS;
  written: { data: { content: string } | null | undefined; isPending: boolean };
}

function LegalPage({ page, written }: LegalPageProps) {
  const t = useHelpWords();
  const ui = useUiWords();
  const { data } = useSettings();
  const sections =
    page === 'terms'
      ? LEGAL_SECTIONS.terms.map((id) => ({ id, title: t(`terms.${id}.title`), text: t(`terms.${id}.text`) }))
      : LEGAL_SECTIONS.privacy.map((id) => ({ id, title: t(`privacy.${id}.title`), text: t(`privacy.${id}.text`) }));
  return (
    <OpenPage title={ui(`links.${page}`)} maxWidth={800}>
      <Typography variant="h1">{ui(`links.${page}`)}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2, minHeight: '1.5em' }}>
        {data && t('legal.version', { version: data.terms_version })}
      </Typography>
      {written.isPending ? (
        <LoadingRows />
      ) : written.data ? (
        <Suspense fallback={<LoadingRows />}>
          <Markdown text={written.data.content} />
        </Suspense>
      ) : (
        <>
          <Alert severity="info" sx={{ mb: 3 }}>
            {t('legal.general')}
          </Alert>
          <Box sx={{ display: 'grid', gap: 3 }}>
            {sections.map(({ id, title, text }, index) => (
              <Box key={id} component="section" id={id}>
                <Typography variant="h2" sx={{ mb: 1 }}>
                  {index + 1}. {title}
                </Typography>
                <Blocks text={text} title={title} />
              </Box>
            ))}
          </Box>
        </>
      )}
    </OpenPage>
  );
}
