// The page that the link of a mail opens: a program that opens links changes nothing, a person who confirms does. The token stands after
// the #, which no server is told.
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type * as z from 'zod';
import { OpenPage } from '../../parts/open-page.tsx';
import { useAlertWords } from './use-alert-words.ts';

interface LinkFacts<Found> extends RouteFacts {
  body: z.ZodObject<{ token: z.ZodString; confirm: z.ZodBoolean }>;
  answer: { result: z.ZodType<Found> };
}

interface MailLink<Found> {
  /** The group of its words. */
  words: 'mute' | 'unsubscribe';
  call: Call<LinkFacts<Found>>;
  /** The names in the sentences. */
  nameOf(found: Found): Readonly<Record<string, string>>;
  isDone(found: Found): boolean;
}

function MailLinkPage<Found>({ words, call, nameOf, isDone }: MailLink<Found>) {
  const t = useAlertWords();
  const api = useApi();
  const token = useLocation().hash.slice(1);
  const [found, setFound] = useState<Found>();
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = useCallback(
    (confirm: boolean) =>
      api
        .call(call as Call<LinkFacts<unknown>>, { body: { token, confirm } })
        .then((answer) => setFound(answer as Found))
        .catch((error: Error) => setRefusal(error.message)),
    [api, call, token],
  );
  useEffect(() => {
    if (token !== '') void send(false);
  }, [send, token]);
  const confirm = async () => {
    setBusy(true);
    await send(true);
    setBusy(false);
  };
  return (
    <OpenPage title={t(`${words}.title`)} maxWidth={720}>
      <Typography variant="h1" sx={{ mb: 2 }}>
        {t(`${words}.title`)}
      </Typography>
      <div aria-live="polite">
        {token === '' ? (
          <Alert severity="error">{t(`${words}.missing`)}</Alert>
        ) : refusal !== undefined ? (
          <Alert severity="error">{refusal}</Alert>
        ) : !found ? (
          <LoadingRows rows={1} height={44} />
        ) : isDone(found) ? (
          <Alert severity="success">{t(`${words}.done`, nameOf(found))}</Alert>
        ) : (
          <Typography sx={{ mb: 2 }}>{t(`${words}.ask`, nameOf(found))}</Typography>
        )}
      </div>
      {found && !isDone(found) && refusal === undefined && (
        <Button variant="contained" loading={isBusy} onClick={() => void confirm()}>
          {t(`${words}.button`)}
        </Button>
      )}
    </OpenPage>
  );
}

export const MutePage = () => (
  <MailLinkPage
    words="mute"
    call={CALLS.muteByLink}
    nameOf={({ policy, muted_until: until }) => ({ policy, until: timeText(until) })}
    isDone={({ muted_until: until }) => until !== null}
  />
);

export const UnsubscribePage = () => (
  <MailLinkPage
    words="unsubscribe"
    call={CALLS.unsubscribeByLink}
    nameOf={({ address }) => ({ address })}
    isDone={({ unsubscribed }) => unsubscribed}
  />
);
