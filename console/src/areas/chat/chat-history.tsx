// The conversations that were kept: opened again, or deleted.

import type { ChatRowView } from '@gantry/contract/areas/inference/chats.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useChatWords } from './use-chat-words.ts';

interface ChatHistoryProps {
  /** Undefined until they are read. */
  chats: readonly ChatRowView[] | undefined;
  shown: string | null;
  isBusy: boolean;
  onOpen: (id: string) => void;
  onFresh: () => void;
}

export function ChatHistory({ chats, shown, isBusy, onOpen, onFresh }: ChatHistoryProps) {
  const t = useChatWords();
  const [isRemovingAll, setRemovingAll] = useState(false);
  const remove = useCommand(CALLS.deleteChat, { invalidates: [CALLS.listChats] });
  const removeAll = useCommand(CALLS.deleteChats, {
    invalidates: [CALLS.listChats],
    onSuccess: () => {
      setRemovingAll(false);
      onFresh();
    },
  });
  return (
    <Box component="section" aria-labelledby="chat-history">
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography id="chat-history" variant="subtitle2" component="h2">
          {t('history')}
        </Typography>
        <Button size="small" disabled={isBusy} onClick={onFresh}>
          {t('fresh')}
        </Button>
      </Box>
      {chats?.length === 0 && <Typography color="text.secondary">{t('noHistory')}</Typography>}
      <List dense disablePadding sx={{ maxHeight: '24rem', overflow: 'auto' }}>
        {chats?.map(({ id, title, update_time }) => (
          <ListItem
            key={id}
            disablePadding
            secondaryAction={
              <IconButton
                edge="end"
                size="small"
                aria-label={t('remove', { name: title })}
                disabled={isBusy}
                onClick={() =>
                  remove.mutate({ params: { id } }, { onSuccess: () => (id === shown ? onFresh() : undefined) })
                }
              >
                <Delete fontSize="small" />
              </IconButton>
            }
          >
            <ListItemButton selected={id === shown} disabled={isBusy} onClick={() => onOpen(id)}>
              <ListItemText
                primary={title}
                secondary={timeText(update_time)}
                slotProps={{ primary: { noWrap: true } }}
              />
            </ListItemButton>
          </ListItem>
        ))}
      </List>
      {chats !== undefined && chats.length > 0 && (
        <Button size="small" color="error" disabled={isBusy} onClick={() => setRemovingAll(true)}>
          {t('removeAll')}
        </Button>
      )}
      {isRemovingAll && (
        <ConfirmDialog
          title={t('removeAllTitle')}
          lost={[t('removeAllText')]}
          confirmLabel={t('removeAll')}
          isDangerous
          isBulk={chats !== undefined && chats.length > 1}
          isBusy={removeAll.isPending}
          error={removeAll.error}
          onConfirm={() => removeAll.mutate({})}
          onClose={() => setRemovingAll(false)}
        />
      )}
    </Box>
  );
}
