// Reports denials and failed reads, once however many there were, with a contact; and logs people out whose session has ended.
import { sentenceOr } from '@gantry/ui/client/api-problem.ts';
import { contactLink } from '@gantry/ui/format/contact-link.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { forgetSession } from '@gantry/ui/session/session.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { loginPath } from './guard.ts';
import { type Denial, isToTell, ONCE_IN_MS } from './is-to-tell.ts';
import { type Notice, onNotice } from './notices.ts';
import { useShellWords } from './use-shell-words.ts';

export function NoticeTeller({ isSignedIn }: { isSignedIn: boolean }) {
  const toast = useToast();
  const t = useUiWords();
  const words = useShellWords();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const client = useQueryClient();
  const { data: settings } = useSettings();
  const last = useRef<Denial>(undefined);
  const failed = useRef<{ text: string; at: number }>(undefined);

  /** The same words once while they are shown; a denial stays. */
  const tellFailure = (text: string): void => {
    const now = performance.now();
    const isShown = (at: number | undefined): boolean => at !== undefined && now - at < ONCE_IN_MS;
    if (isShown(last.current?.at) || (failed.current?.text === text && isShown(failed.current.at))) return;
    failed.current = { text, at: now };
    toast.error(text);
  };

  const take = useEffectEvent((notice: Notice) => {
    if (notice.kind === 'cancelled') {
      toast.error(sentenceOr(notice.error, t('toasts.failed')));
      return;
    }
    const { problem } = notice;
    if (notice.kind === 'failed') {
      // The banner says so for as long as it lasts.
      if (problem.isAway) return;
      tellFailure(problem.message);
      return;
    }
    const { status } = problem;
    const now = performance.now();
    if (isToTell({ status, at: now }, last.current) && (isSignedIn || status === 403)) {
      last.current = { status, at: now };
      const contact = (
        <Button color="inherit" size="small" {...contactLink(settings?.contact ?? '', '/contact')}>
          {t('permission.contact')}
        </Button>
      );
      const over = status === 401 ? `${words('sessionOver')} ` : '';
      toast.warning(`${over}${t('permission.notice')}`, contact);
    }
    if (status !== 401) return;
    forgetSession();
    if (isSignedIn) void navigate(loginPath(pathname + search), { replace: true });
  });

  useEffect(() => onNotice((notice) => take(notice)), []);
  // Cached reads belong to the previous person: they go once the pages that show them are gone.
  useEffect(() => {
    if (!isSignedIn) return;
    return () => void setTimeout(() => client.removeQueries({ type: 'inactive' }));
  }, [isSignedIn, client]);
  return null;
}
