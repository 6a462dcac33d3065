// One thing that happened, or several to the same object one after another: the newest title and time, and opened the words of each.
import type { Message } from '@gantry/contract/areas/messages/messages.ts';
import { localTimes, timeText } from '@gantry/ui/format/time.ts';
import ExpandMore from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { Link as RouterLink } from 'react-router';
import { objectAddress } from './object-address.ts';
import { usePages } from './pages.tsx';
import { useShellWords } from './use-shell-words.ts';

interface BellItemProps {
  /** Newest first. */
  messages: readonly [Message, ...Message[]];
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
  /** These are shown, and were unread. */
  onRead(ids: readonly string[]): void;
  /** The person goes to what it is about. */
  onLeave(): void;
}

export function BellItem({ messages, isOpen, onToggle, onRead, onLeave }: BellItemProps) {
  const t = useShellWords();
  const pages = usePages();
  const [{ title, create_time, object }, ...former] = messages;
  const isRead = messages.every(({ is_read }) => is_read);
  const address = object && objectAddress(pages, object);
  const unread = messages.flatMap(({ id, is_read }) => (is_read ? [] : [id])).join();
  // Also what joins the line while it is open.
  useEffect(() => {
    if (isOpen && unread !== '') onRead(unread.split(','));
  }, [isOpen, unread, onRead]);
  return (
    <Accordion
      disableGutters
      square
      expanded={isOpen}
      onChange={(_, isNowOpen) => onToggle(isNowOpen)}
      slotProps={{ transition: { unmountOnExit: true }, heading: { component: 'h3' } }}
      sx={{ boxShadow: 'none', '&::before': { display: 'none' }, borderBottom: 1, borderColor: 'divider' }}
    >
      <AccordionSummary expandIcon={<ExpandMore />} sx={{ px: 2 }}>
        <Box component="span" sx={{ display: 'block', minWidth: 0 }}>
          <Typography
            component="span"
            variant="body2"
            sx={{ display: 'flex', gap: 1, alignItems: 'center', fontWeight: isRead ? 400 : 600 }}
          >
            {!isRead && (
              <Box
                component="span"
                role="img"
                aria-label={t('bell.unread')}
                sx={{ width: 8, height: 8, borderRadius: '50%', bgcolor: 'error.main', flex: 'none' }}
              />
            )}
            <span style={{ overflowWrap: 'anywhere' }}>{title}</span>
          </Typography>
          <Typography component="span" variant="caption" color="text.secondary">
            {timeText(create_time)}
            {former.length > 0 && ` · ${t('bell.earlier', { smart_count: former.length })}`}
          </Typography>
        </Box>
      </AccordionSummary>
      <AccordionDetails sx={{ px: 2, pt: 0, display: 'grid', gap: 1 }}>
        {messages.map((message, at) => (
          <Typography key={message.id} variant="body2" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {at > 0 && `${timeText(message.create_time)} · ${message.title}\n`}
            {localTimes(message.content)}
          </Typography>
        ))}
        {address !== undefined && (
          <Link component={RouterLink} to={address} variant="body2" onClick={onLeave}>
            {t('bell.open')}
          </Link>
        )}
      </AccordionDetails>
    </Accordion>
  );
}
