// The chat: a model, what it is told, the conversation, and those kept from before.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi, useCall } from '@gantry/ui/client/use-api.tsx';
import { FormNumber } from '@gantry/ui/form/fields.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ChatHistory } from './chat-history.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { Messages } from './messages.tsx';
import { useChatWords } from './use-chat-words.ts';
import { emptyConversation, type Parameters, promptOf, useConversation } from './use-conversation.ts';

export function ChatPage() {
  const t = useChatWords();
  const models = useModelNames();
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {models.isPending && <LoadingRows />}
      {models.isError && <ErrorState error={models.error} onRetry={() => void models.refetch()} />}
      {models.data?.length === 0 && <EmptyState title={t('noModel')} hint={t('noModelHint')} />}
      {models.data !== undefined && models.data.length > 0 && <Chat models={models.data} />}
    </>
  );
}

/** As programs list them. */
function useModelNames() {
  const api = useApi();
  return useQuery({
    queryKey: ['v1/models'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/v1/models', { headers: api.headers(), signal }).catch(() => undefined);
      if (!response?.ok) throw api.failure(response ? 'bad_answer' : 'network', response?.status);
      const { data } = (await response.json()) as { data: readonly { id: string }[] };
      return data.map(({ id }) => id);
    },
  });
}

function Chat({ models }: { models: readonly string[] }) {
  const t = useChatWords();
  const api = useApi();
  const [isCode, setCode] = useState(false);
  const form = useForm<Parameters>({ defaultValues: {} });
  const parameters = form.watch();
  const chat = useConversation(parameters);
  const { conversation, isAsking } = chat;
  const model = conversation.model === '' ? (models[0] ?? '') : conversation.model;
  const shown = { ...conversation, model };
  const kept = useCall(CALLS.listChats, {});
  const openKept = async (id: string) => {
    const { title: _, create_time: _c, update_time: _u, ...found } = await api.call(CALLS.getChat, { params: { id } });
    chat.open(found);
  };
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { md: 'minmax(0, 1fr) 20rem' } }}>
      <Box sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <Messages chat={chat} />
        <Composer
          key={conversation.id ?? ''}
          isAsking={isAsking}
          onSend={(text) => void chat.send(text, model)}
          onStop={chat.stop}
        />
      </Box>
      <Box sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <TextField
          select
          label={t('model')}
          value={model}
          disabled={isAsking}
          onChange={({ target }) => chat.change({ model: target.value })}
        >
          {/* One that was deployed when the conversation was kept. */}
          {[...new Set([...models, model])].map((name) => (
            <MenuItem key={name} value={name}>
              {name}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          label={t('system')}
          helperText={t('systemHelp')}
          value={conversation.system}
          multiline
          minRows={2}
          maxRows={8}
          disabled={isAsking}
          onChange={({ target }) => chat.change({ system: target.value })}
        />
        <Typography variant="subtitle2">{t('parameters')}</Typography>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
          <FormNumber control={form.control} name="temperature" label={t('temperature')} min={0} max={2} step={0.1} />
          <FormNumber control={form.control} name="top_p" label={t('topP')} min={0} max={1} step={0.05} />
        </Box>
        <FormNumber control={form.control} name="max_tokens" label={t('maxTokens')} min={1} step={1} />
        <Button variant="outlined" onClick={() => setCode(true)}>
          {t('code')}
        </Button>
        <ChatHistory
          chats={kept.data?.chats ?? []}
          shown={conversation.id}
          isBusy={isAsking}
          onOpen={(id) => void openKept(id)}
          onFresh={() => chat.open(emptyConversation(model))}
        />
      </Box>
      {isCode && <CodeDialog prompt={promptOf(shown, given(parameters))} onClose={() => setCode(false)} />}
    </Box>
  );
}

/** Without the fields that are empty. */
const given = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));

function Composer({
  isAsking,
  onSend,
  onStop,
}: {
  isAsking: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}) {
  const t = useChatWords();
  const [text, setText] = useState('');
  const canSend = text.trim() !== '' && !isAsking;
  const send = () => {
    if (!canSend) return;
    onSend(text);
    setText('');
  };
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-end' }}>
      <TextField
        label={t('message')}
        value={text}
        multiline
        maxRows={10}
        fullWidth
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          // A new line with Shift; and while a Chinese or Japanese word is put together, Enter chooses it.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {isAsking ? (
        <Button variant="outlined" color="error" onClick={onStop} aria-label={t('stop')}>
          {t('stop')}
        </Button>
      ) : (
        <Button variant="contained" disabled={!canSend} onClick={send}>
          {t('send')}
        </Button>
      )}
    </Box>
  );
}
