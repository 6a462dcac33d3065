// Whether an article helped: two buttons that `enliven.ts` shows, because a vote is a call.
import Box from '@mui/material/Box';
import { usePortalWords } from './use-portal-words.ts';

interface Props {
  slug: string;
  /** How many said so before. */
  votes: { readonly yes: number; readonly no: number };
}

export function Helpful({ slug, votes }: Props) {
  const t = usePortalWords();
  const all = votes.yes + votes.no;
  return (
    <Box
      component="section"
      aria-label={t('help.helpful')}
      data-votes={`/api/portal/v1/articles/${encodeURIComponent(slug)}/helpful`}
      sx={SX}
    >
      <span data-asking="" hidden>
        {t('help.helpful')}{' '}
        <button type="button" data-helpful="yes">
          {t('help.yes')}
        </button>{' '}
        <button type="button" data-helpful="no">
          {t('help.no')}
        </button>
      </span>
      <span role="status" data-thanks={t('help.thanks')} data-failed={t('help.notSent')} />
      {all > 0 && (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {t('help.votes', { yes: votes.yes, smart_count: all })}
        </Box>
      )}
    </Box>
  );
}

const SX = {
  mt: 4,
  pt: 2,
  borderTop: 1,
  borderColor: 'divider',
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1.5,
  minHeight: 56,
  '& button': {
    font: 'inherit',
    px: 1.5,
    py: 0.5,
    color: 'primary.main',
    bgcolor: 'background.paper',
    border: 1,
    borderColor: 'text.secondary',
    borderRadius: 1,
    cursor: 'pointer',
  },
} as const;
