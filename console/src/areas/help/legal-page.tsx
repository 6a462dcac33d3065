// Terms and privacy: the general text that the product comes with, in the version that people accept. An operator puts their own in
// its place.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { OpenPage } from '../../parts/open-page.tsx';
import { Blocks } from './blocks.tsx';
import { useHelpWords } from './use-help-words.ts';

const SECTIONS = {
  terms: ['service', 'account', 'use', 'content', 'money', 'availability', 'ending', 'liability', 'changes'],
  privacy: ['what', 'why', 'cookies', 'who', 'long', 'rights', 'safe'],
} as const;

export const TermsPage = () => <LegalPage page="terms" />;
export const PrivacyPage = () => <LegalPage page="privacy" />;

function LegalPage({ page }: { page: keyof typeof SECTIONS }) {
  const t = useHelpWords();
  const ui = useUiWords();
  const { data } = useSettings();
  const sections =
    page === 'terms'
      ? SECTIONS.terms.map((id) => ({ id, title: t(`terms.${id}.title`), text: t(`terms.${id}.text`) }))
      : SECTIONS.privacy.map((id) => ({ id, title: t(`privacy.${id}.title`), text: t(`privacy.${id}.text`) }));
  return (
    <OpenPage title={ui(`links.${page}`)} maxWidth={800}>
      <Typography variant="h1">{ui(`links.${page}`)}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2, minHeight: '1.5em' }}>
        {data && t('legal.version', { version: data.terms_version })}
      </Typography>
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
    </OpenPage>
  );
}
