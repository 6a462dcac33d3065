// The instance of this shell, its place, its connection, and the screen's tools.
import { TERMINAL_WORDS } from '@gantry/contract/areas/instances/terminal-status.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import ArrowBack from '@mui/icons-material/ArrowBackOutlined';
import ContentCopy from '@mui/icons-material/ContentCopyOutlined';
import ContentPaste from '@mui/icons-material/ContentPasteOutlined';
import RecordVoiceOver from '@mui/icons-material/RecordVoiceOverOutlined';
import Search from '@mui/icons-material/SearchOutlined';
import TextDecrease from '@mui/icons-material/TextDecreaseOutlined';
import TextIncrease from '@mui/icons-material/TextIncreaseOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import type { ReactElement, RefObject } from 'react';
import { Link as RouterLink } from 'react-router';
import type { ScreenOptions } from './screen-options.ts';
import type { ShellState } from './terminal-connection.ts';
import type { Shell } from './use-shell.ts';
import { useTerminalWords } from './use-terminal-words.ts';

/** The keys that leave the screen, which gets all others. */
export const LEAVE_KEYS = 'Ctrl+Shift+E';

interface TerminalHeaderProps {
  /** The path that one came from. */
  backTo: string;
  name: string;
  /** The link back there. */
  back: RefObject<HTMLAnchorElement | null>;
  shell: Shell;
  options: ScreenOptions;
  canCopy: boolean;
  onCopy(): void;
  onPaste(): void;
  onSearch(): void;
  onResizeText(by: number): void;
  onRead(isRead: boolean): void;
}

export function TerminalHeader({ backTo, name, back, shell, options, ...does }: TerminalHeaderProps) {
  const t = useTerminalWords();
  const facts = [
    [t('cluster'), shell.place?.cluster_id],
    [t('namespace'), shell.place?.namespace],
    [t('container'), shell.place?.container_name],
  ] as const;
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 0.5,
        px: 2,
        py: 1,
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Typography variant="h1" sx={{ fontSize: 16, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Tooltip title={`${t('back')} (${LEAVE_KEYS})`} describeChild>
          <Link
            ref={back}
            component={RouterLink}
            to={backTo}
            color="inherit"
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}
          >
            <ArrowBack fontSize="small" />
            {name}
          </Link>
        </Tooltip>
      </Typography>
      <Box aria-live="polite">
        <StatusChip state={shell.state} />
      </Box>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 2,
          flex: { xs: '1 0 100%', md: '1 1 0' },
          order: { xs: 3, md: 0 },
        }}
      >
        {facts.map(([label, value]) => (
          <Box key={label} sx={{ display: 'flex', gap: 0.75, fontSize: 13, minWidth: 0 }}>
            <Box component="dt" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
              {label}
            </Box>
            <Box component="dd" sx={{ m: 0, fontFamily: MONO, overflowWrap: 'anywhere', minWidth: '4ch' }}>
              {value ?? '…'}
            </Box>
          </Box>
        ))}
      </Box>
      <Box role="toolbar" aria-label={t('tools')} sx={{ display: 'flex', ml: 'auto' }}>
        <Tool label={t('copy')} keys="Ctrl+Shift+C" isDisabled={!does.canCopy} onClick={does.onCopy}>
          <ContentCopy fontSize="small" />
        </Tool>
        <Tool
          label={t('paste')}
          keys="Ctrl+Shift+V"
          isDisabled={shell.state.status !== 'connected'}
          onClick={does.onPaste}
        >
          <ContentPaste fontSize="small" />
        </Tool>
        <Tool label={t('search.label')} keys="Ctrl+Shift+F" onClick={does.onSearch}>
          <Search fontSize="small" />
        </Tool>
        <Tool label={t('smaller')} keys="Ctrl+Shift+−" onClick={() => does.onResizeText(-1)}>
          <TextDecrease fontSize="small" />
        </Tool>
        <Tool label={t('larger')} keys="Ctrl+Shift++" onClick={() => does.onResizeText(1)}>
          <TextIncrease fontSize="small" />
        </Tool>
        <Tool label={t('read')} isPressed={options.isRead} onClick={() => does.onRead(!options.isRead)}>
          <RecordVoiceOver fontSize="small" />
        </Tool>
      </Box>
    </Box>
  );
}

interface ToolProps {
  label: string;
  keys?: string;
  isDisabled?: boolean;
  isPressed?: boolean;
  onClick(): void;
  children: ReactElement;
}

function Tool({ label, keys, isDisabled, isPressed, onClick, children }: ToolProps) {
  return (
    <Tooltip title={keys === undefined ? label : `${label} (${keys})`}>
      {/* A disabled button has no events of its own; what is around it has. */}
      <span>
        <IconButton
          size="small"
          aria-label={label}
          {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
          color={isPressed ? 'primary' : 'default'}
          disabled={isDisabled ?? false}
          onClick={onClick}
        >
          {children}
        </IconButton>
      </span>
    </Tooltip>
  );
}

const TONES = { connecting: 'progress', connected: 'good', failed: 'bad', closed: 'neutral' } as const;

function StatusChip({ state: { status, detail, isAgain } }: { state: ShellState }) {
  const t = useTerminalWords();
  const ui = useUiWords();
  const language = useLanguage();
  const waiting = isAgain ? t('broke') : ui('states.loading');
  const message = status === 'connecting' ? waiting : (detail ?? TERMINAL_WORDS[status][language]);
  return <PhaseChip label={t(`status.${status}`)} tone={TONES[status]} message={message} />;
}
