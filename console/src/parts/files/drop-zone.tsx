// An area into which files and folders can be dropped. If they are dropped beside it, the browser does not open them in place of the page.
import Box from '@mui/material/Box';
import { type DragEvent, type ReactNode, useState } from 'react';
import { droppedBy, type Picked } from './picked-files.ts';

interface DropZoneProps {
  /** Shown while something is held above it. */
  hint: string;
  onDrop: (picked: Picked) => void;
  onError: (error: unknown) => void;
  children: ReactNode;
}

export function DropZone({ hint, onDrop, onError, children }: DropZoneProps) {
  // Entering a child leaves its parent: only the balance says whether one is inside.
  const [depth, setDepth] = useState(0);
  const whereFiles = (handle: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    handle(event);
  };
  return (
    <Box
      onDragEnter={whereFiles(() => setDepth((former) => former + 1))}
      onDragLeave={whereFiles(() => setDepth((former) => Math.max(0, former - 1)))}
      onDragOver={whereFiles(({ dataTransfer }) => {
        dataTransfer.dropEffect = 'copy';
      })}
      onDrop={whereFiles(({ dataTransfer }) => {
        setDepth(0);
        droppedBy(dataTransfer).then(onDrop, onError);
      })}
      sx={{ position: 'relative' }}
    >
      {children}
      {depth > 0 && (
        <Box
          sx={{
            position: 'absolute',
            inset: 0,
            zIndex: 2,
            display: 'grid',
            placeContent: 'center',
            border: '2px dashed',
            borderColor: 'primary.main',
            borderRadius: 1,
            bgcolor: 'background.paper',
            opacity: 0.9,
            fontWeight: 600,
            pointerEvents: 'none',
          }}
        >
          {hint}
        </Box>
      )}
    </Box>
  );
}
