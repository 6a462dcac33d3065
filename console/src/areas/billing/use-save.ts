// Fetches and saves a document, and reports the progress.
import type { Call } from '@gantry/contract/http/call.ts';
import type { AnyInput } from '@gantry/ui/client/api.ts';
import { ApiProblem, sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useState } from 'react';
import { saveAnswer } from '../../parts/save-answer.ts';

export interface Saving {
  /** Undefined while none is on its way. */
  readonly bytes: number | undefined;
  save(call: Call, input: AnyInput): Promise<void>;
}

export function useSave(): Saving {
  const api = useApi();
  const toast = useToast();
  const ui = useUiWords();
  const [bytes, setBytes] = useState<number>();
  return {
    bytes,
    async save(call, input) {
      setBytes(0);
      try {
        await saveAnswer(await api.send(call, input), setBytes);
      } catch (error) {
        // The notice of 401 and 403 is the shell's.
        const isDenied = error instanceof ApiProblem && (error.status === 401 || error.status === 403);
        if (!isDenied) toast.error(error instanceof ApiProblem ? sentenceOf(error) : ui('toasts.network'));
      }
      setBytes(undefined);
    },
  };
}
