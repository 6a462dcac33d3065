// What a conversation may begin with, for whoever does not know yet what to ask.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useChatWords } from './use-chat-words.ts';

const STARTERS = ['explain', 'summarise', 'write'] as const;

interface StartersProps {
  /** The name of the model. */
  model: string;
  onChoose: (text: string) => void;
}

export function Starters({ model, onChoose }: StartersProps) {
  const t = useChatWords();
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'center', alignContent: 'center', textAlign: 'center', py: 6 }}>
      <Typography variant="h1" component="p">
        {t('starters.title', { model })}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 1,
          width: '100%',
          maxWidth: '44rem',
          gridTemplateColumns: { sm: 'repeat(3, 1fr)' },
        }}
      >
        {STARTERS.map((name) => (
          <Button
            key={name}
            variant="outlined"
            onClick={() => onChoose(t(`starters.${name}`))}
            sx={{
              height: 'auto',
              py: 1.5,
              px: 2,
              textAlign: 'start',
              justifyContent: 'flex-start',
              whiteSpace: 'normal',
            }}
          >
            {t(`starters.${name}`)}
          </Button>
        ))}
      </Box>
    </Box>
  );
}
