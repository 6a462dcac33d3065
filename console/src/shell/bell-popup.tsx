// The list of messages: opened one by one, read on as one scrolls.
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Live } from '@gantry/ui/live/live-provider.tsx';
import { useMore } from '@gantry/ui/table/use-more.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { BellItem } from './bell-item.tsx';
import { joined, listed, saysEnd, unreadOf } from './bell-messages.ts';
import { type useMessages, useReadAllMessages, useReadMessages } from './use-bell.ts';
import { useShellWords } from './use-shell-words.ts';

interface BellPopupProps {
  messages: ReturnType<typeof useMessages>;
  live: Live;
  onLeave(): void;
}

export function BellPopup({ messages, live, onLeave }: BellPopupProps) {
  const t = useShellWords();
  const ui = useUiWords();
  const read = useReadMessages();
  const readAll = useReadAllMessages();
  const [openId, setOpenId] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const { data, error, isFetching, hasNextPage, refetch, fetchNextPage } = messages;
  useMore(list, { hasMore: hasNextPage, isLoadingMore: isFetching, more: () => void fetchNextPage() });

  const items = data ? listed(data) : [];
  const failure = live.state.status === 'failed' ? live.state.error : error ? sentenceOf(error) : undefined;
  // Without an answer there is no more to say than that, and the network's own sentence says it.
  const isNetwork = failure === '' || failure === ui('toasts.network');
  const retry = () => {
    live.retry();
    if (error) void refetch();
  };
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', px: 2, py: 1, borderBottom: 1, borderColor: 'divider' }}>
        <Typography variant="h2" sx={{ fontSize: 16, flex: 1, py: 0.5 }}>
          {t('bell.title')}
        </Typography>
        {unreadOf(data) > 0 && (
          <Button size="small" onClick={readAll}>
            {t('bell.readAll')}
          </Button>
        )}
      </Box>
      {failure !== undefined && (
        <Alert
          severity="error"
          sx={{ borderRadius: 0 }}
          action={
            <Button color="inherit" size="small" onClick={retry}>
              {ui('actions.retry')}
            </Button>
          }
        >
          {isNetwork ? ui('toasts.network') : t('bell.connectionFailed', { error: failure })}
        </Alert>
      )}
      <Box ref={list} tabIndex={0} sx={{ maxHeight: 'min(440px, 60vh)', overflowY: 'auto' }}>
        {joined(items).map((group) => {
          // The oldest stays the same while newer ones join.
          const { id } = group.at(-1) ?? group[0];
          return (
            <BellItem
              key={id}
              messages={group}
              isOpen={id === openId}
              onToggle={(isOpen) => setOpenId(isOpen ? id : undefined)}
              onRead={read}
              onLeave={onLeave}
            />
          );
        })}
        {data && failure === undefined && items.length === 0 && !hasNextPage && (
          <Typography color="text.secondary" sx={{ p: 4, textAlign: 'center' }}>
            {t('bell.none')}
          </Typography>
        )}
        {isFetching && (
          <Box role="status" sx={{ p: 2, display: 'grid', placeContent: 'center' }}>
            <CircularProgress size={24} aria-label={ui('states.loading')} />
          </Box>
        )}
        {!isFetching && saysEnd(items.length, hasNextPage) && (
          <Typography variant="caption" component="p" color="text.secondary" sx={{ p: 1.5, m: 0, textAlign: 'center' }}>
            {t('bell.end')}
          </Typography>
        )}
      </Box>
    </>
  );
}
