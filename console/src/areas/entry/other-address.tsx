// Back to typing an address: its verification survives a reload, and may be of the wrong address, or expired.
import Link from '@mui/material/Link';
import { useEntryWords } from './use-entry-words.ts';

export function OtherAddress({ onClick }: { onClick(): void }) {
  const t = useEntryWords();
  return (
    <Link component="button" type="button" variant="body2" onClick={onClick} sx={{ justifySelf: 'start' }}>
      {t('code.other')}
    </Link>
  );
}
