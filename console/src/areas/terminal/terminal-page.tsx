// A full-page shell: its place and state above, the own sessions, and the screen below.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { useCopy } from '@gantry/ui/widgets/copy-button.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import { SCREEN_THEMES } from '../../parts/screen-colors.ts';
import { KeyBar } from './key-bar.tsx';
import { Screen, type ScreenEvents } from './screen.ts';
import { fontSizeWithin, keepScreenOptions, readScreenOptions, type ScreenOptions } from './screen-options.ts';
import { SearchBar } from './search-bar.tsx';
import { SessionTabs } from './session-tabs.tsx';
import { ShellEnded } from './shell-ended.tsx';
import { placeAt } from './shell-place.ts';
import { LEAVE_KEYS, TerminalHeader } from './terminal-header.tsx';
import { useLeaveWarning } from './use-leave-warning.tsx';
import { useShell } from './use-shell.ts';
import { useTerminalWords } from './use-terminal-words.ts';

export function TerminalPage() {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const [asked] = useSearchParams();
  const at = useMemo(() => placeAt(pathname, id, asked), [pathname, id, asked]);
  const t = useTerminalWords();
  const ui = useUiWords();
  const toast = useToast();
  const copy = useCopy();
  const scheme = useColorScheme();
  const look = (scheme.mode === 'system' ? scheme.systemMode : scheme.mode) ?? 'light';
  const { data: instance } = useCall(CALLS.getInstance, { params: { id } }, { enabled: at.hasSessions });
  const place = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLAnchorElement>(null);
  const [screen, setScreen] = useState<Screen>();
  const [options, setOptions] = useState(readScreenOptions);
  const [hasSelection, setHasSelection] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const shell = useShell(at, screen, t('again'));
  const isConnected = shell.state.status === 'connected';
  const leaveWarning = useLeaveWarning(isConnected, shell.session !== undefined);

  const choose = useCallback((change: (former: ScreenOptions) => ScreenOptions) => {
    setOptions((former) => {
      const next = change(former);
      keepScreenOptions(next);
      return next;
    });
  }, []);
  const resizeText = useCallback(
    (by: number) => choose((former) => ({ ...former, fontSize: fontSizeWithin(former.fontSize + by) })),
    [choose],
  );

  // The screen is created once, and calls the handlers of the latest render.
  const events = useRef<ScreenEvents>(undefined);
  events.current = {
    onText: (text) => shell.connection.current?.type(text),
    onBinary: (binary) => shell.connection.current?.typeBytes(binary),
    onSize: (size) => shell.connection.current?.resize(size),
    onSelection: setHasSelection,
    onKey(key) {
      if (key === 'copy') void copySelection();
      else if (key === 'search') setSearching(true);
      else if (key === 'leave') back.current?.focus();
      else resizeText(key === 'larger' ? 1 : -1);
    },
  };
  const label = `${t('screen')} (${t('back')}: ${LEAVE_KEYS})`;
  useEffect(() => {
    if (!place.current) return;
    const opened = new Screen(place.current, MONO, label, {
      onText: (text) => events.current?.onText(text),
      onBinary: (binary) => events.current?.onBinary(binary),
      onSize: (size) => events.current?.onSize(size),
      onKey: (key) => events.current?.onKey(key),
      onSelection: (has) => events.current?.onSelection(has),
    });
    setScreen(opened);
    return () => opened.close();
  }, [label]);
  useEffect(() => screen?.set(options, SCREEN_THEMES[look]), [screen, options, look]);

  const name = instance?.name ?? id;
  useEffect(() => {
    document.title = `${name} · ${t('title')} · ${ui('appName')}`;
  }, [name, t, ui]);

  const copySelection = async () => {
    const selection = screen?.selection() ?? '';
    if (selection !== '') await copy(selection);
    screen?.focus();
  };
  const paste = async () => {
    const text = await navigator.clipboard?.readText().catch(() => undefined);
    if (text === undefined) toast.info(t('pasteByKeys'));
    else screen?.paste(text);
  };

  return (
    <Box sx={{ height: '100dvh', display: 'flex', flexDirection: 'column', bgcolor: 'background.paper' }}>
      <TerminalHeader
        backTo={at.back}
        name={name}
        back={back}
        shell={shell}
        options={options}
        canCopy={hasSelection}
        onCopy={() => void copySelection()}
        onPaste={() => void paste()}
        onSearch={() => setSearching(true)}
        onResizeText={resizeText}
        onRead={(isRead) => choose((former) => ({ ...former, isRead }))}
      />
      {at.hasSessions && <SessionTabs id={id} shell={shell} />}
      <Box
        component="main"
        sx={{ flex: 1, minHeight: 0, position: 'relative', bgcolor: SCREEN_THEMES[look].background }}
      >
        <Box
          ref={place}
          sx={{ position: 'absolute', inset: 0, p: 1, overflow: 'hidden', '& .xterm': { height: '100%' } }}
        />
        {isSearching && screen && (
          <SearchBar
            screen={screen}
            onClose={() => {
              setSearching(false);
              screen.endSearch();
            }}
          />
        )}
        <ShellEnded shell={shell} />
      </Box>
      {screen && isConnected && <KeyBar onPress={(sequence) => screen.press(sequence)} />}
      {leaveWarning}
    </Box>
  );
}
