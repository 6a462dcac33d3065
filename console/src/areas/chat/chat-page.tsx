// The chat: a model, what it is told, the conversation, and those kept from before.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi, useCall } from '@gantry/ui/client/use-api.tsx';
import { FormNumber } from '@gantry/ui/form/fields.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { forgetHanded, handedToChat } from '../../parts/handed-to-chat.ts';
import { useModelLabel, useModelNames } from '../../parts/use-model-names.ts';
import { ChatHistory } from './chat-history.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { Composer } from './composer.tsx';
import { Messages } from './messages.tsx';
import { useChatWords } from './use-chat-words.ts';
import {
  type Conversation,
  emptyConversation,
  type Parameters,
  promptOf,
  useConversation,
} from './use-conversation.ts';

export function ChatPage() {
  const t = useChatWords();
  const ui = useUiWords();
  const may = useMay();
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {may('createChat') ? <WithModels /> : <EmptyState title={ui('permission.none')} />}
    </>
  );
}

function WithModels() {
  const t = useChatWords();
  const models = useModelNames();
  return (
    <>
      {models.isPending && <LoadingRows />}
      {models.isError && <ErrorState error={models.error} onRetry={() => void models.refetch()} />}
      {models.data?.length === 0 && <EmptyState title={t('noModel')} hint={t('noModelHint')} />}
      {models.data !== undefined && models.data.length > 0 && <Chat models={models.data} />}
    </>
  );
}

function Chat({ models }: { models: readonly string[] }) {
  const t = useChatWords();
  const labelOf = useModelLabel();
  const api = useApi();
  const [isCode, setCode] = useState(false);
  const form = useForm<Parameters>({ defaultValues: {} });
  const parameters = form.watch();
  const [toolsText, setToolsText] = useState('');
  const tools = toolsIn(toolsText);
  const [handed] = useState(handedToChat);
  /** A link may name a deployment. */
  const [askedModel] = useState(() => new URLSearchParams(globalThis.location.search).get('model') ?? '');
  useEffect(forgetHanded, []);
  const chat = useConversation(parameters, tools, handed);
  /** The same conversation with another model, beside it. */
  const beside = useConversation(parameters, tools);
  const [compared, setCompared] = useState('');
  const { conversation } = chat;
  const isAsking = chat.isAsking || beside.isAsking;
  const first = models.find((name) => name.split('/').includes(askedModel)) ?? models[0] ?? '';
  const model = conversation.model === '' ? first : conversation.model;
  const shown = { ...conversation, model };
  const kept = useCall(CALLS.listChats, {});
  const compare = (name: string) => {
    setCompared(name);
    if (name !== '') beside.open({ ...conversation, id: null, model: name });
  };
  const open = (one: Conversation) => {
    setCompared('');
    chat.open(one);
  };
  const send = (text: string, images: readonly string[]) => {
    void chat.send(text, model, images);
    if (compared !== '') void beside.send(text, compared, images);
  };
  const openKept = async (id: string) => {
    const { title: _, create_time: _c, update_time: _u, ...found } = await api.call(CALLS.getChat, { params: { id } });
    open(found);
  };
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { md: 'minmax(0, 1fr) 20rem' } }}>
      <Box sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <Box sx={{ display: 'grid', gap: 2, ...(compared !== '' && { gridTemplateColumns: { sm: '1fr 1fr' } }) }}>
          <Messages chat={chat} />
          {compared !== '' && <Messages chat={beside} />}
        </Box>
        <Composer
          isAsking={isAsking}
          onSend={send}
          onStop={() => {
            chat.stop();
            beside.stop();
          }}
        />
      </Box>
      <Box sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <TextField
          select
          label={t('model')}
          value={model}
          disabled={isAsking}
          helperText={labelOf(model) === model ? undefined : model}
          slotProps={{ select: { renderValue: (chosen) => labelOf(chosen as string) } }}
          onChange={({ target }) => chat.change({ model: target.value })}
        >
          {/* One that was deployed when the conversation was kept. */}
          {[...new Set([...models, model])].map((name) => (
            <MenuItem key={name} value={name}>
              <ModelOption id={name} label={labelOf(name)} />
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          label={t('compare')}
          value={compared}
          disabled={isAsking}
          helperText={labelOf(compared) === compared ? undefined : compared}
          slotProps={{
            select: {
              displayEmpty: true,
              renderValue: (chosen) => (chosen === '' ? t('compareNone') : labelOf(chosen as string)),
            },
            inputLabel: { shrink: true },
          }}
          onChange={({ target }) => compare(target.value)}
        >
          <MenuItem value="">{t('compareNone')}</MenuItem>
          {models
            .filter((name) => name !== model)
            .map((name) => (
              <MenuItem key={name} value={name}>
                <ModelOption id={name} label={labelOf(name)} />
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
          onChange={({ target }) => {
            chat.change({ system: target.value });
            beside.change({ system: target.value });
          }}
        />
        <Typography variant="subtitle2" component="h2">
          {t('parameters')}
        </Typography>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
          <FormNumber control={form.control} name="temperature" label={t('temperature')} range={[0, 2]} step={0.1} />
          <FormNumber control={form.control} name="top_p" label={t('topP')} range={[0, 1]} step={0.05} />
        </Box>
        <FormNumber control={form.control} name="max_tokens" label={t('maxTokens')} range={[1]} />
        <TextField
          label={t('tools')}
          helperText={toolsText.trim() !== '' && tools === undefined ? t('toolsRule') : t('toolsHelp')}
          error={toolsText.trim() !== '' && tools === undefined}
          value={toolsText}
          multiline
          maxRows={8}
          onChange={({ target }) => setToolsText(target.value)}
        />
        <Button variant="outlined" onClick={() => setCode(true)}>
          {t('code')}
        </Button>
        <ChatHistory
          chats={kept.data?.chats}
          shown={conversation.id}
          isBusy={isAsking}
          onOpen={(id) => void openKept(id)}
          onFresh={() => open(emptyConversation(model))}
        />
      </Box>
      {isCode && (
        <CodeDialog prompt={promptOf(shortened(shown), given(parameters), tools)} onClose={() => setCode(false)} />
      )}
    </Box>
  );
}

/** Without the fields that are empty. */
const given = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));

/** A list with anything in it; undefined for no list. */
function toolsIn(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.length > 0 ? list : undefined;
  } catch {
    return undefined;
  }
}

const MOST_SHOWN_OF_A_PICTURE = 40;

/** Nobody reads a picture's bytes. */
const shortened = (conversation: Conversation): Conversation => ({
  ...conversation,
  messages: conversation.messages.map(({ images, ...message }) => ({
    ...message,
    images: images?.map((url) => `${url.slice(0, MOST_SHOWN_OF_A_PICTURE)}…`),
  })),
});

/** The name, and the id that requests have, where that is another. */
const ModelOption = ({ id, label }: { id: string; label: string }) => (
  <Box sx={{ minWidth: 0, overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
    {label}
    {label !== id && (
      <Typography component="span" variant="body2" color="text.secondary" sx={{ display: 'block' }}>
        {id}
      </Typography>
    )}
  </Box>
);
