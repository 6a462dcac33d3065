// A code to an address: the button solves the puzzle if nobody has, then a countdown until another may be asked for.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem, sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { CaptchaField } from './captcha-field.tsx';
import { usePartsWords } from './use-parts-words.ts';

interface SendCodeProps {
  channel: 'email' | 'phone';
  purpose: 'register' | 'reset' | 'contact';
  /** For a reloaded page: where a code was sent before. */
  before?: SentCode | undefined;
  /** The typed address; undefined if it breaks a rule, which its field then shows. */
  readAddress: () => Promise<string | undefined>;
  /** Called with refusals, except for the puzzle and the time between two codes. */
  onRefused: (problem: unknown) => void;
  onSent?: (sent: SentCode) => void;
}

interface SentCode {
  readonly address: string;
  /** From when on another may be asked for, in ms. */
  readonly resendAt: number;
}

const SECOND_MS = 1000;

export function SendCode({ channel, purpose, before, readAddress, onRefused, onSent }: SendCodeProps) {
  const t = usePartsWords();
  const api = useApi();
  const toast = useToast();
  const [puzzle, setPuzzle] = useState(0);
  const [captcha, setCaptcha] = useState<string>();
  const solve = useRef<() => Promise<string | undefined>>(undefined);
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [sentTo, setSentTo] = useState(before?.address);
  const [isAsking, setAsking] = useState(before === undefined);
  const [seconds, waitUntil] = useCountdown(before?.resendAt);

  const tellSent = (address: string, afterSeconds: number) => {
    const resendAt = Date.now() + afterSeconds * SECOND_MS;
    waitUntil(resendAt);
    setSentTo(address);
    setAsking(false);
    onSent?.({ address, resendAt });
  };
  const refused = (thrown: unknown, address: string) => {
    if (!(thrown instanceof ApiProblem)) return onRefused(thrown);
    const { error: code, retryAfterMs: afterMs = 0 } = thrown;
    // A code is valid already, from before a reload or from another tab.
    if (code === 'code_too_soon') return tellSent(address, afterMs / SECOND_MS);
    if (afterMs > 0) waitUntil(Date.now() + afterMs);
    if (code === 'captcha_missing') setError(sentenceOf(thrown));
    else onRefused(thrown);
  };
  const send = async () => {
    const address = await readAddress();
    if (address === undefined) return;
    if (!isAsking) {
      setAsking(true);
      return;
    }
    setError(undefined);
    setSending(true);
    try {
      const solution = captcha ?? (await solve.current?.().catch(() => undefined));
      if (solution === undefined) return setError(t('code.puzzleFirst'));
      const body = { [channel]: address, purpose, captcha: solution };
      const { resend_after_s: after = 0 } = await api.call(CALLS.captcha, { params: { type: channel }, body });
      tellSent(address, after);
      toast.success(t('code.sent'));
    } catch (thrown) {
      refused(thrown, address);
    } finally {
      // Each solution counts once.
      setCaptcha(undefined);
      setPuzzle((former) => former + 1);
      setSending(false);
    }
  };
  const solved = (payload: string | undefined) => {
    setCaptcha(payload);
    if (payload !== undefined) setError(undefined);
  };

  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1, alignItems: 'stretch' }}>
      {/* Once a code is sent, what says so is where the puzzle was: that comes back for another code, and nothing moves. */}
      <Box sx={{ display: 'grid', alignItems: 'center', '& > *': { gridArea: '1 / 1' } }}>
        <Box sx={{ visibility: isAsking ? 'visible' : 'hidden' }}>
          <CaptchaField key={puzzle} onSolved={solved} error={error} solve={solve} />
        </Box>
        <Alert
          severity="info"
          sx={{ visibility: isAsking ? 'hidden' : 'visible', py: 0, alignItems: 'center', overflowWrap: 'anywhere' }}
        >
          {t(channel === 'email' ? 'code.sentEmail' : 'code.sentPhone', { address: sentTo ?? '' })}
        </Alert>
      </Box>
      <Button
        variant="outlined"
        onClick={() => void send()}
        disabled={seconds > 0}
        loading={isSending}
        sx={{ alignSelf: 'start', fontVariantNumeric: 'tabular-nums' }}
      >
        {seconds > 0 ? t('code.sendAgainIn', { seconds }) : t(sentTo === undefined ? 'code.send' : 'code.sendAgain')}
      </Button>
    </Box>
  );
}

/** Whole seconds that are left until a moment, and what sets it. */
function useCountdown(first = 0): [number, (until: number) => void] {
  const [until, setUntil] = useState(first);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (until === 0) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [until]);
  const left = Math.max(0, Math.ceil((until - now) / SECOND_MS));
  return [
    left,
    (later) => {
      setNow(Date.now());
      setUntil(later);
    },
  ];
}
