// Back to where an address is typed: the proof of one is kept over a page that is loaded anew, and may be of the wrong one, or over.
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
