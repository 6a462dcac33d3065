// A picture of a submission: fetched with the session's token, kept in memory while it is shown, turned and enlarged.

import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { type SyntheticEvent, useEffect, useState } from 'react';
import type { words as english } from '../../words/en/audit.ts';

export interface PictureView {
  /** 1: the whole picture. */
  readonly zoom: number;
  /** Quarters of a turn, clockwise. */
  readonly turns: number;
}

export function TurnedPicture({ id, label, view }: { id: string; label: string; view: PictureView }) {
  const t = useAreaWords<typeof english>('audit');
  const api = useApi();
  const [url, setUrl] = useState<string>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    let made: string | undefined;
    setUrl(undefined);
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
        <Turned url={url} label={label} view={view} />
      )}
    </Box>
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large a picture is shown: within the frame when it is whole, whichever way it is turned. */
export function shownSize(own: Size, frame: Size, { zoom, turns }: PictureView): Size & { readonly scale: number } {
  const isLying = turns % 2 === 1;
  const width = isLying ? own.height : own.width;
  const height = isLying ? own.width : own.height;
  const scale = Math.min(frame.width / width, frame.height / height) * zoom;
  return { width: width * scale, height: height * scale, scale };
}

/** A transform takes no room: what is around the picture has its turned size, so that all of it can be scrolled to. */
function Turned({ url, label, view }: { url: string; label: string; view: PictureView }) {
  const [sizes, setSizes] = useState<{ own: Size; frame: Size }>();
  const shown = sizes && shownSize(sizes.own, sizes.frame, view);
  return (
    <Box
      // An enlarged picture is scrolled by keyboard.
      tabIndex={0}
      sx={{
        height: 'min(56vh, 520px)',
        overflow: 'auto',
        bgcolor: 'background.default',
        borderRadius: 1,
        display: 'grid',
        placeContent: 'safe center',
      }}
    >
      <Box sx={{ position: 'relative', ...(shown && { width: shown.width, height: shown.height }) }}>
        <Box
          component="img"
          src={url}
          alt={label}
          draggable={false}
          onLoad={({ currentTarget: picture }: SyntheticEvent<HTMLImageElement>) => {
            const frame = picture.parentElement?.parentElement;
            if (!frame || picture.naturalWidth === 0) return;
            setSizes({
              own: { width: picture.naturalWidth, height: picture.naturalHeight },
              frame: { width: frame.clientWidth, height: frame.clientHeight },
            });
          }}
          sx={
            sizes && shown
              ? {
                  position: 'absolute',
                  top: '50%',
                  left: '50%',
                  width: sizes.own.width * shown.scale,
                  height: sizes.own.height * shown.scale,
                  maxWidth: 'none',
                  transform: `translate(-50%, -50%) rotate(${view.turns * 90}deg)`,
                }
              : { visibility: 'hidden', maxWidth: '100%' }
          }
        />
      </Box>
    </Box>
  );
}
