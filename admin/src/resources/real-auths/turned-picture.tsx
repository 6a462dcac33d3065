// A picture of a submission: fetched with the session's token, kept in memory while it is shown, turned and enlarged.

import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import type { words as english } from '../../words/en/audit.ts';

export interface PictureView {
  /** 1: the whole picture. */
  readonly zoom: number;
  /** Quarters of a turn, clockwise. */
  readonly turns: number;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * CSS sizes of the box that a turned picture takes in its frame, and of the picture in it: a rotation alone leaves the box as it was,
 * and what is turned out of the box cannot be scrolled to. The frame and the box are query containers.
 */
export function boxOf({ width, height }: PictureSize, { zoom, turns }: PictureView) {
  const isOdd = turns % 2 === 1;
  const ratio = isOdd ? height / width : width / height;
  return {
    box: {
      width: zoom === 1 ? `min(100cqw, ${100 * ratio}cqh)` : `${zoom * 100}%`,
      aspectRatio: `${ratio}`,
    },
    picture: isOdd ? { width: '100cqh', height: '100cqw' } : { width: '100cqw', height: '100cqh' },
  };
}

export function TurnedPicture({ id, label, view }: { id: string; label: string; view: PictureView }) {
  const t = useAreaWords<typeof english>('audit');
  const api = useApi();
  const [url, setUrl] = useState<string>();
  const [isFailed, setFailed] = useState(false);
  const [size, setSize] = useState<PictureSize>();
  useEffect(() => {
    const ending = new AbortController();
    let made: string | undefined;
    setUrl(undefined);
    setSize(undefined);
    setFailed(false);
    api
      .send(CALLS.getPicture, { params: { id } }, { signal: ending.signal })
      .then((response) => response.blob())
      .then((blob) => {
        if (ending.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      })
      .catch(() => {
        if (!ending.signal.aborted) setFailed(true);
      });
    return () => {
      ending.abort();
      // Somebody's document does not stay in memory.
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [api, id]);
  const shape = size && boxOf(size, view);
  return (
    <Box component="figure" sx={{ m: 0, minWidth: 0 }}>
      <Typography component="figcaption" variant="body2" color="text.secondary" sx={{ mb: 0.5 }}>
        {label}
      </Typography>
      {isFailed ? (
        <Alert severity="error">{t('queue.failed')}</Alert>
      ) : url === undefined ? (
        <Skeleton variant="rectangular" height={360} />
      ) : (
        <Box
          // An enlarged picture is scrolled by keyboard.
          tabIndex={0}
          sx={{
            height: 'min(56vh, 520px)',
            overflow: 'auto',
            bgcolor: 'background.default',
            borderRadius: 1,
            display: 'grid',
            placeItems: view.zoom === 1 ? 'center' : 'start',
            containerType: 'size',
          }}
        >
          <Box sx={{ position: 'relative', containerType: 'size', overflow: 'hidden' }} style={shape?.box}>
            <Box
              component="img"
              src={url}
              alt={label}
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
                if (width > 0 && height > 0) setSize({ width, height });
              }}
              sx={{
                position: 'absolute',
                top: '50%',
                left: '50%',
                transform: `translate(-50%, -50%) rotate(${view.turns * 90}deg)`,
                transition: 'transform 120ms',
              }}
              style={shape?.picture}
            />
          </Box>
        </Box>
      )}
    </Box>
  );
}
