// A question to a dataset's table. While the data server is being prepared it is asked again.
import type { Call, InputOf } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useState } from 'react';

const AGAIN_MS = 2000;

export function useAsked<F extends RouteFacts>(call: Call<F>, input: InputOf<F>, { enabled = true } = {}) {
  const [isPreparing, setPreparing] = useState(false);
  const read = useCall(call, input, {
    enabled,
    keepsPrevious: true,
    ...(isPreparing && { everyMs: AGAIN_MS }),
  });
  const prepares = read.error?.error === 'dataset_preparing';
  if (prepares !== isPreparing) setPreparing(prepares);
  return { ...read, isPreparing: prepares };
}
