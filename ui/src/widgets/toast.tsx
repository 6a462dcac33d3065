// One toast at a time, for eight seconds, at the foot of the page: where it covers no heading and no button. The newest replaces.
import Alert from '@mui/material/Alert';
import Snackbar from '@mui/material/Snackbar';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

const SHOWN_MS = 8_000;

type Severity = 'success' | 'info' | 'warning' | 'error';

export interface Toast {
  success(text: string): void;
  info(text: string, action?: ReactNode): void;
  warning(text: string, action?: ReactNode): void;
  error(text: string, action?: ReactNode): void;
}

const ToastContext = createContext<Toast | undefined>(undefined);

interface Shown {
  readonly number: number;
  readonly severity: Severity;
  readonly text: string;
  readonly action?: ReactNode;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const [isOpen, setOpen] = useState(false);
  const toast = useMemo((): Toast => {
    const show = (severity: Severity) => (text: string, action?: ReactNode) => {
      setShown((former) => ({ number: (former?.number ?? 0) + 1, severity, text, action }));
      setOpen(true);
    };
    return { success: show('success'), info: show('info'), warning: show('warning'), error: show('error') };
  }, []);
  const close = () => setOpen(false);
  return (
    <ToastContext value={toast}>
      {children}
      <Snackbar
        key={shown?.number}
        open={isOpen}
        autoHideDuration={SHOWN_MS}
        onClose={(_, reason) => reason !== 'clickaway' && close()}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      >
        <Alert
          severity={shown?.severity ?? 'info'}
          variant="standard"
          action={shown?.action}
          onClose={close}
          sx={{ boxShadow: 'var(--elevation-1)', maxWidth: 440, alignItems: 'center', overflowWrap: 'anywhere' }}
        >
          {shown?.text}
        </Alert>
      </Snackbar>
    </ToastContext>
  );
}

export function useToast(): Toast {
  const toast = useContext(ToastContext);
  if (!toast) throw new Error('there is no ToastProvider above');
  return toast;
}
