// A picture to be shown: the one that was just chosen here, else the one that the server has.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useEffect, useState } from 'react';

/** A URL for `<img>`; undefined while there is nothing to show. */
export function usePicture(id: string | null, chosen?: Blob): string | undefined {
  const api = useApi();
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!id) return;
    const over = new AbortController();
    let made: string | undefined;
    const show = (picture: Blob) => {
      if (over.signal.aborted) return;
      made = URL.createObjectURL(picture);
      setUrl(made);
    };
    if (chosen) show(chosen);
    // The picture needs the token in a header, which `<img>` does not send. Without it the frame stays empty.
    else
      api
        .send(CALLS.getPicture, { params: { id } }, { signal: over.signal })
        .then((response) => response.blob())
        .then(show, () => undefined);
    return () => {
      over.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [api, id, chosen]);
  return url;
}
