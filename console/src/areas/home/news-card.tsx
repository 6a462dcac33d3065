// The latest messages; all of them are behind the bell.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { localTimes, relativeText, timeText } from '@gantry/ui/format/time.ts';
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { readMessagePage } from '../../parts/message-page.ts';
import { HomeCard } from './home-card.tsx';
import { useHomeWords } from './use-home-words.ts';

const INPUT = { body: { page_size: 4 } };
const EVERY_MS = 60_000;

export function NewsCard() {
  const t = useHomeWords();
  const language = useLanguage();
  const api = useApi();
  const { data, error, isPending, dataUpdatedAt, refetch } = useQuery({
    queryKey: keyOf(CALLS.listMessages, INPUT),
    queryFn: ({ signal }) => readMessagePage(api, INPUT.body, signal),
    refetchInterval: EVERY_MS,
  });
  return (
    <HomeCard title={t('news.title')}>
      {isPending && <LoadingRows rows={2} height={48} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && (
        <Typography variant="body2" color="text.secondary">
          {t('news.none')}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data?.data.map(({ id, title, content, create_time }) => (
          <Box component="li" key={id} sx={{ py: 1, borderTop: '1px solid', borderColor: 'divider' }}>
            <Typography variant="body2" sx={{ fontWeight: 600 }}>
              {title}
            </Typography>
            <Typography
              variant="body2"
              color="text.secondary"
              sx={{ display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden' }}
            >
              {localTimes(content)}
            </Typography>
            <Typography
              variant="caption"
              color="text.secondary"
              component="time"
              dateTime={create_time}
              title={timeText(create_time)}
            >
              {relativeText(create_time, dataUpdatedAt, LOCALES[language])}
            </Typography>
          </Box>
        ))}
      </Box>
    </HomeCard>
  );
}
