// The chat: conversations kept from before, a model, the conversation with the message at its foot, and what the model is told, in a drawer.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi, useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router';
import { forgetHanded, handedToChat } from '../../parts/handed-to-chat.ts';
import { useModelLabel, useModelNames } from '../../parts/use-model-names.ts';
import { ChatHistory } from './chat-history.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { Composer } from './composer.tsx';
import { Messages } from './messages.tsx';
import { ModelChoice } from './model-choice.tsx';
import { SettingsDrawer } from './settings-drawer.tsx';
import { Starters } from './starters.tsx';
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
  const api = useApi();
  const labelOf = useModelLabel();
  const [opened, setOpened] = useState<'code' | 'settings' | 'history'>();
  const close = () => setOpened(undefined);
  const form = useForm<Parameters>({ defaultValues: {} });
  const parameters = form.watch();
  const [toolsText, setToolsText] = useState('');
  const tools = toolsIn(toolsText);
  const [base, setBase] = useState('');
  const [draft, setDraft] = useState('');
  const [handed] = useState(handedToChat);
  const [asked] = useSearchParams();
  useEffect(forgetHanded, []);
  const chat = useConversation({ parameters, tools, base, system: handed });
  /** The same conversation with another model, beside it. */
  const beside = useConversation({ parameters, tools, base });
  const [compared, setCompared] = useState('');
  const { conversation } = chat;
  const isAsking = chat.isAsking || beside.isAsking;
  const model = conversation.model === '' ? firstModel(models, asked.get('model') ?? '') : conversation.model;
  const kept = useCall(CALLS.listChats, {});
  const compare = (name: string) => {
    setCompared(name);
    if (name !== '') beside.open({ ...conversation, id: null, model: name });
  };
  const open = (one: Conversation) => {
    setCompared('');
    close();
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
  const history = (
    <ChatHistory
      chats={kept.data?.chats}
      shown={conversation.id}
      isBusy={isAsking}
      onOpen={(id) => void openKept(id)}
      onFresh={() => open(emptyConversation(model))}
    />
  );
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { lg: '15rem minmax(0, 1fr)' } }}>
      <Box sx={{ display: { xs: 'none', lg: 'block' } }}>{opened !== 'history' && history}</Box>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateRows: 'auto 1fr auto', minHeight: 'calc(100dvh - 11rem)' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' }}>
          <ModelChoice
            label={t('model')}
            // One that was deployed when the conversation was kept.
            models={[...new Set([...models, model])]}
            chosen={model}
            isBusy={isAsking}
            onChoose={(name) => chat.change({ model: name })}
          />
          <ModelChoice
            label={t('compare')}
            none={t('compareNone')}
            models={models.filter((name) => name !== model)}
            chosen={compared}
            isBusy={isAsking}
            onChoose={compare}
          />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, ml: 'auto' }}>
            <Button onClick={() => setOpened('history')} sx={{ display: { lg: 'none' } }}>
              {t('history')}
            </Button>
            <Button onClick={() => setOpened('settings')}>{t('parameters')}</Button>
            <Button onClick={() => setOpened('code')}>{t('code')}</Button>
          </Box>
        </Box>
        {conversation.messages.length === 0 && compared === '' ? (
          <Starters model={labelOf(model)} onChoose={setDraft} />
        ) : (
          <Box sx={{ display: 'grid', gap: 2, ...(compared !== '' && { gridTemplateColumns: { sm: '1fr 1fr' } }) }}>
            <Messages chat={chat} />
            {compared !== '' && <Messages chat={beside} />}
          </Box>
        )}
        <Box sx={{ position: 'sticky', bottom: 0, bgcolor: 'background.default', pt: 1, pb: 2 }}>
          <Composer
            text={draft}
            onText={setDraft}
            isAsking={isAsking}
            base={base}
            onBase={setBase}
            onSend={send}
            onStop={() => {
              chat.stop();
              beside.stop();
            }}
          />
        </Box>
      </Box>
      <Drawer open={opened === 'history'} onClose={close}>
        <Box sx={{ width: 'min(20rem, 100vw)', p: 2 }}>{opened === 'history' && history}</Box>
      </Drawer>
      <SettingsDrawer
        isOpen={opened === 'settings'}
        isBusy={isAsking}
        onClose={close}
        system={conversation.system}
        onSystem={(system) => {
          chat.change({ system });
          beside.change({ system });
        }}
        parameters={form.control}
        tools={toolsText}
        isToolsWrong={toolsText.trim() !== '' && tools === undefined}
        onTools={setToolsText}
      />
      {opened === 'code' && (
        <CodeDialog
          prompt={promptOf(shortened({ ...conversation, model }), given(parameters), tools)}
          onClose={close}
        />
      )}
    </Box>
  );
}

/** A link may name a deployment, which people call `<organisation>/<deployment>`. */
const firstModel = (models: readonly string[], asked: string): string =>
  models.find((name) => name === asked || name.split('/').at(-1) === asked) ?? models[0] ?? '';

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
