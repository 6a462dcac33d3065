// Blocks of text as a page shows them.
import { CopyField } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { blocksOf } from './blocks-of.ts';

/** `title` names the text that a copy button copies. */
export function Blocks({ text, title }: { text: string; title: string }) {
  return (
    <Box sx={{ display: 'grid', gap: 1.5, maxWidth: '46rem' }}>
      {blocksOf(text).map((block) =>
        block.is === 'list' ? (
          <Box key={block.points.join()} component="ul" sx={{ m: 0, pl: 3, display: 'grid', gap: 0.5 }}>
            {block.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </Box>
        ) : block.is === 'code' ? (
          <CopyField key={block.text} text={block.text} label={title} />
        ) : (
          <Typography key={block.text}>{block.text}</Typography>
        ),
      )}
    </Box>
  );
}
