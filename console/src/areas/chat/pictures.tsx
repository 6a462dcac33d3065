// Pictures of a message, each of which can be taken out until it is sent.
import Close from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useChatWords } from './use-chat-words.ts';

export function Pictures({ urls, onRemove }: { urls: readonly string[]; onRemove?: (at: number) => void }) {
  const t = useChatWords();
  if (urls.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
      {urls.map((url, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be the same
        <Box key={at} sx={{ position: 'relative' }}>
          <Box
            component="img"
            src={url}
            alt={t('picture', { number: `${at + 1}` })}
            sx={{ maxWidth: '12rem', maxHeight: '9rem', borderRadius: 1, display: 'block' }}
          />
          {onRemove && (
            <IconButton
              size="small"
              aria-label={t('removePicture', { number: `${at + 1}` })}
              onClick={() => onRemove(at)}
              sx={{ position: 'absolute', top: 0, right: 0, bgcolor: 'background.paper' }}
            >
              <Close fontSize="small" />
            </IconButton>
          )}
        </Box>
      ))}
    </Box>
  );
}
