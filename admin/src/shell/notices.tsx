// react-admin's notifications as the apps' one toast: at most one at a time, the newest replaces it.
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useEffect } from 'react';
import { useNotificationContext, useTranslate } from 'react-admin';

export function Notices() {
  const { notifications, takeNotification } = useNotificationContext();
  const toast = useToast();
  const translate = useTranslate();
  useEffect(() => {
    if (notifications.length === 0) return;
    const notice = takeNotification();
    if (!notice || typeof notice.message !== 'string') return;
    const { _: otherwise, ...args } = notice.notificationOptions?.messageArgs ?? {};
    const text = translate(notice.message, { _: otherwise ?? notice.message, ...args });
    if (notice.type === 'error') toast.error(text);
    else if (notice.type === 'success') toast.success(text);
    else toast.info(text);
  }, [notifications, takeNotification, toast, translate]);
  return null;
}
