// One message: its title and time, and opened its words.
import type { Message } from '@gantry/contract/http/messages.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import ExpandMore from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useShellWords } from './use-shell-words.ts';

interface BellItemProps {
  message: Message;
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
}

export function BellItem({ message: { title, create_time, content, is_read }, isOpen, onToggle }: BellItemProps) {
  const t = useShellWords();
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
            sx={{ display: 'flex', gap: 1, alignItems: 'center', fontWeight: is_read ? 400 : 600 }}
          >
            {!is_read && (
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
          </Typography>
        </Box>
      </AccordionSummary>
      <AccordionDetails sx={{ px: 2, pt: 0 }}>
        <Typography variant="body2" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {content}
        </Typography>
      </AccordionDetails>
    </Accordion>
  );
}
