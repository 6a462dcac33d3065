// The submitted data. The ID card number is masked until its owner asks for it.
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { FactList } from '../../../parts/fact-list.tsx';
import { useAccountWords } from '../use-account-words.ts';
import type { Submission } from './real-name-tab.tsx';
import { usePicture } from './use-picture.ts';

/** An ID card number as it stands on a screen that others may see: its first three and last four characters. */
const hiddenId = (text: string): string =>
  `${text.slice(0, 3)}${'•'.repeat(Math.max(0, text.length - 7))}${text.slice(-4)}`;

export function SubmissionFacts({ submission }: { submission: Submission }) {
  const t = useAccountWords();
  const ui = useUiWords();
  const [isShown, setShown] = useState(false);
  const isEnterprise = submission.type === 2;
  const facts = [
    { label: isEnterprise ? t('realName.legalName') : t('realName.name'), value: submission.name },
    {
      label: isEnterprise ? t('realName.legalIdCard') : t('realName.idCard'),
      value: isShown ? submission.id_card : hiddenId(submission.id_card),
      action: (
        <Button size="small" onClick={() => setShown(!isShown)}>
          {isShown ? ui('fields.hide') : ui('fields.show')}
        </Button>
      ),
    },
    { label: t('realName.phone'), value: submission.phone },
    { label: t('realName.enterpriseName'), value: submission.enterprise_name },
    { label: t('realName.creditCode'), value: submission.credit_code },
    { label: t('realName.contactName'), value: submission.contact_name },
    { label: t('realName.submitted'), value: timeText(submission.submit_time) },
    { label: t('realName.decided'), value: submission.audit_time && timeText(submission.audit_time) },
  ];
  return (
    <>
      <FactList facts={facts.filter(({ value }) => value !== null)} />
      {isEnterprise && (
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            mt: 2,
            gridTemplateColumns: 'repeat(auto-fit, minmax(12rem, 1fr))',
            maxWidth: '48rem',
          }}
        >
          <Picture id={submission.license_picture} label={t('realName.licensePicture')} />
          <Picture id={submission.id_front_picture} label={t('realName.idFrontPicture')} />
          <Picture id={submission.id_back_picture} label={t('realName.idBackPicture')} />
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
