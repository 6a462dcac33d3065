// Copies a text and says so. Where a page is not secure, browsers have no clipboard, but their own command still copies.
import ContentCopy from '@mui/icons-material/ContentCopyOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useUiWords } from '../i18n/use-words.tsx';
import { MONO } from '../theme/theme.ts';
import { useToast } from './toast.tsx';

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyByCommand(text)) throw new Error('the browser copies nothing');
  }
}

/** Copies a selection, of a field beside what was pressed: a dialog would take the focus back from one outside of it. */
function copyByCommand(text: string): boolean {
  const before = document.activeElement as HTMLElement | null;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.ariaHidden = 'true';
  field.style.cssText = 'position:fixed;inset:0 auto auto 0;opacity:0';
  (before?.parentElement ?? document.body).append(field);
  try {
    field.focus({ preventScroll: true });
    field.select();
    return document.execCommand('copy');
  } finally {
    field.remove();
    before?.focus({ preventScroll: true });
  }
}

export function useCopy(): (text: string) => Promise<void> {
  const toast = useToast();
  const t = useUiWords();
  return async (text) => {
    try {
      await copyText(text);
      toast.success(t('toasts.copied'));
    } catch {
      toast.error(t('toasts.copyFailed'));
    }
  };
}

/** `label` says what is copied, for screen readers. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const copy = useCopy();
  const t = useUiWords();
  return (
    <Tooltip title={t('actions.copy')}>
      <IconButton
        size="small"
        aria-label={label === undefined ? t('actions.copy') : `${t('actions.copy')}: ${label}`}
        onClick={() => void copy(text)}
      >
        <ContentCopy fontSize="inherit" />
      </IconButton>
    </Tooltip>
  );
}

/** A text to be used elsewhere, such as a command, with its button. */
export function CopyField({ text, label }: { text: string; label: string }) {
  return (
    <Box
      sx={{ display: 'flex', alignItems: 'center', gap: 1, bgcolor: 'action.hover', borderRadius: 1, px: 1.5, py: 0.5 }}
    >
      <Box component="code" sx={{ fontFamily: MONO, fontSize: 13, overflowWrap: 'anywhere', flex: 1 }}>
        {text}
      </Box>
      <CopyButton text={text} label={label} />
    </Box>
  );
}
