// The submitted data. The document's number is masked until its owner asks for it.
import { timeText } from '@gantry/ui/format/time.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { FactList } from '../../../parts/fact-list.tsx';
import { useAccountWords } from '../use-account-words.ts';
import type { Submission } from './real-name-tab.tsx';
import { usePicture } from './use-picture.ts';

/** A number as it stands on a screen that others may see: of an ID card its first three and last four characters, else fewer. */
const hiddenId = (text: string): string => {
  const [first, last] = [Math.min(3, Math.floor(text.length / 5)), Math.min(4, Math.floor(text.length / 3))];
  return text.slice(0, first) + '•'.repeat(text.length - first - last) + text.slice(text.length - last);
};

export function SubmissionFacts({ submission }: { submission: Submission }) {
  const t = useAccountWords();
  const ui = useUiWords();
  const [isShown, setShown] = useState(false);
  const isEnterprise = submission.type === 2;
  const language = useLanguage();
  const number = submission.id_card ?? submission.document_number ?? '';
  const isOfCard = submission.document === 'idCard';
  const ofCard = isEnterprise ? t('realName.legalIdCard') : t('realName.idCard');
  const country = submission.document_country;
  const facts = [
    { label: isEnterprise ? t('realName.legalName') : t('realName.name'), value: submission.name },
    { label: t('realName.document'), value: isOfCard ? null : t(`realName.documents.${submission.document}`) },
    {
      label: t('realName.documentCountry'),
      value: country && new Intl.DisplayNames(language, { type: 'region' }).of(country),
    },
    {
      label: isOfCard ? ofCard : t('realName.documentNumber'),
      value: isShown ? number : hiddenId(number),
      action: (
        <Button size="small" onClick={() => setShown(!isShown)}>
          {isShown ? ui('fields.hide') : ui('fields.show')}
        </Button>
      ),
    },
    { label: t('realName.phone'), value: submission.phone },
    { label: t('realName.enterpriseName'), value: submission.enterprise_name },
    { label: isOfCard ? t('realName.creditCode') : t('realName.registrationNumber'), value: submission.credit_code },
    { label: t('realName.contactName'), value: submission.contact_name },
    { label: t('realName.submitted'), value: timeText(submission.submit_time) },
    { label: t('realName.decided'), value: submission.audit_time && timeText(submission.audit_time) },
  ];
  const pictures = [
    [submission.license_picture, t('realName.licensePicture')],
    [submission.id_front_picture, t('realName.idFrontPicture')],
    [submission.id_back_picture, t('realName.idBackPicture')],
    [submission.document_picture, t('realName.documentPicture')],
  ] as const;
  const shown = pictures.filter(([id]) => id !== null);
  return (
    <>
      <FactList facts={facts.filter(({ value }) => value !== null)} />
      {shown.length > 0 && (
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            mt: 2,
            gridTemplateColumns: 'repeat(auto-fit, minmax(12rem, 1fr))',
            maxWidth: '48rem',
          }}
        >
          {shown.map(([id, label]) => (
            <Picture key={label} id={id} label={label} />
          ))}
        </Box>
      )}
    </>
  );
}

function Picture({ id, label }: { id: string | null; label: string }) {
  const url = usePicture(id);
  return (
    <Box component="figure" sx={{ m: 0 }}>
      <Box
        sx={{
          height: 140,
          display: 'grid',
          placeItems: 'center',
          bgcolor: 'action.hover',
          borderRadius: 1,
          overflow: 'hidden',
        }}
      >
        {url !== undefined && (
          <Box component="img" src={url} alt={label} sx={{ maxWidth: '100%', maxHeight: 140, objectFit: 'contain' }} />
        )}
      </Box>
      <Typography component="figcaption" variant="caption" color="text.secondary">
        {label}
      </Typography>
    </Box>
  );
}
