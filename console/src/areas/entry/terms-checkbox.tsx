// "I accept the terms": nobody gets an account without it.
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import { useEntryWords } from './use-entry-words.ts';

interface TermsCheckboxProps {
  version: string;
  isAccepted: boolean;
  onChange(isAccepted: boolean): void;
}

/** The label beside the box; the terms open in another tab, so that no input is lost. */
export function TermsLabel({ version }: { version: string }) {
  const t = useEntryWords();
  return (
    <>
      {t('terms.accept')}{' '}
      <Link href="/terms" target="_blank" rel="noopener">
        {t('terms.link')}
      </Link>{' '}
      {t('terms.after', { version })}
    </>
  );
}

export const TermsCheckbox = ({ version, isAccepted, onChange }: TermsCheckboxProps) => (
  <FormControlLabel
    control={<Checkbox checked={isAccepted} onChange={({ target }) => onChange(target.checked)} />}
    label={<TermsLabel version={version} />}
  />
);
