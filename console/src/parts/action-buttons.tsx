// What may be done with an object now: its first commands as buttons, the rest in a menu. The rows come with its view; what
// interrupts, destroys or costs asks first.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button, { type ButtonProps } from '@mui/material/Button';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { type ComponentProps, type CSSProperties, useId, useState } from 'react';
import { type ActedKind, type ActionRow, type ActionTarget, useAct } from './action-calls.ts';
import { ActionQuestion, type Question } from './action-question.tsx';
import { usePartsWords } from './use-parts-words.ts';

export interface ActionButtonsProps {
  kind: ActedKind;
  target: ActionTarget;
  /** How many are buttons. */
  shown?: number;
  /** These come before the others. */
  first?: readonly string[];
  /** What leads to a page or a dialog of its own, by action: `edit`, `login`. */
  own?: Readonly<Record<string, () => void>>;
  /** What is asked before, where the plain question does not say enough; made when it is asked, for lists have many rows. */
  questions?: () => Readonly<Record<string, Question>>;
  /** What the menu has besides, before the commands. */
  more?: readonly { label: string; node: string; onPick: () => void }[];
  /** After a command was accepted. */
  onDone?: (action: string) => void;
  size?: 'small' | 'medium';
}

const noQuestions = () => ({});
const IN_LINE: CSSProperties = {
  display: 'flex',
  gap: 4,
  alignItems: 'center',
  justifyContent: 'flex-end',
  flexWrap: 'wrap',
};

export function ActionButtons({
  kind,
  target,
  shown = 1,
  first = [],
  own = {},
  questions = noQuestions,
  more = [],
  onDone,
  size = 'small',
}: ActionButtonsProps) {
  const t = usePartsWords();
  const ui = useUiWords();
  const [menuAt, setMenuAt] = useState<HTMLElement>();
  // Not before it was opened once: most of a list's never are.
  const [hasMenu, setHasMenu] = useState(false);
  const [asked, setAsked] = useState<ActionRow>();
  const act = useAct(kind);

  const rows = inOrder(target.actions, first);
  const press = (row: ActionRow) => {
    setMenuAt(undefined);
    const go = own[row.action];
    if (go) go();
    else if (row.danger !== 'none' || row.price || questions()[row.action]) setAsked(row);
    else act.give(target.id, row.action);
  };
  const inMenu = rows.slice(shown);
  const id = useId();
  // Where there is room for words: on a page of its own, and in a menu once somebody has opened it.
  const told = size === 'medium' || hasMenu ? questions() : {};
  return (
    <div style={IN_LINE}>
      {rows.slice(0, shown).map((row, at) => (
        <Guarded key={row.action} node={`${kind}.${row.action}`}>
          <CommandButton
            brief={told[row.action]?.brief}
            size={size}
            variant={at === 0 && row.danger === 'none' ? 'contained' : 'outlined'}
            loading={act.isPending && act.variables.body.action === row.action}
            onClick={() => press(row)}
          >
            {row.label}
          </CommandButton>
        </Guarded>
      ))}
      {inMenu.length + more.length > 0 && (
        <MoreButton
          size={size}
          aria-label={t('actions.more', { name: target.name })}
          aria-haspopup="menu"
          title={ui('actions.more')}
          onClick={({ currentTarget }) => {
            setHasMenu(true);
            setMenuAt(currentTarget);
          }}
        />
      )}
      {hasMenu && (
        <Menu open={menuAt !== undefined} anchorEl={menuAt ?? null} onClose={() => setMenuAt(undefined)}>
          {more.map(({ label, node, onPick }) => (
            <Guarded key={label} node={node}>
              <MenuItem
                onClick={() => {
                  setMenuAt(undefined);
                  onPick();
                }}
              >
                {label}
              </MenuItem>
            </Guarded>
          ))}
          {inMenu.map((row) => (
            <Guarded key={row.action} node={`${kind}.${row.action}`}>
              <MenuItem
                onClick={() => press(row)}
                {...(told[row.action]?.brief && { 'aria-describedby': `${id}${row.action}-brief` })}
                sx={{ whiteSpace: 'normal', color: row.danger === 'destroys' ? 'error.main' : 'text.primary' }}
              >
                <ListItemText
                  primary={row.label}
                  secondary={told[row.action]?.brief}
                  // It describes the command, and is no part of its name.
                  slotProps={{
                    secondary: {
                      id: `${id}${row.action}-brief`,
                      'aria-hidden': true,
                      variant: 'caption',
                      component: 'p',
                    },
                  }}
                  sx={{ my: 0, maxWidth: 320 }}
                />
              </MenuItem>
            </Guarded>
          ))}
        </Menu>
      )}
      {asked && (
        <ActionQuestion
          kind={kind}
          target={target}
          row={asked}
          question={questions()[asked.action] ?? {}}
          onClose={() => setAsked(undefined)}
          onDone={(action) => {
            setAsked(undefined);
            onDone?.(action);
          }}
        />
      )}
    </div>
  );
}

/** What is pressed to give a command; what it keeps and costs is told to the pointer, to the keyboard and to whoever listens. */
function CommandButton({ brief, ...button }: ButtonProps & { brief: string | undefined }) {
  if (button.size === 'small') return <SmallButton {...button} />;
  if (brief === undefined) return <Button {...button} />;
  return (
    // A disabled button has no events of its own; what is around it then says why it is.
    <Tooltip title={button.disabled || button.loading ? '' : brief} describeChild>
      <Button {...button} />
    </Tooltip>
  );
}

/** Of a list, where each row has one: a plain element. */
const SmallButton = ({ disabled, loading, onClick, children }: ButtonProps) => (
  <button
    type="button"
    className="plain-button"
    disabled={disabled || loading === true}
    aria-busy={loading === true}
    onClick={onClick}
  >
    {children}
  </button>
);

const MORE = (
  <svg viewBox="0 0 24 24" aria-hidden>
    <path d="M12 8c1.1 0 2-.9 2-2s-.9-2-2-2-2 .9-2 2 .9 2 2 2m0 2c-1.1 0-2 .9-2 2s.9 2 2 2 2-.9 2-2-.9-2-2-2m0 6c-1.1 0-2 .9-2 2s.9 2 2 2 2-.9 2-2-.9-2-2-2" />
  </svg>
);

function MoreButton({ size, ...button }: ComponentProps<'button'> & { size: 'small' | 'medium' }) {
  return (
    <button type="button" className="plain-icon-button" data-size={size} {...button}>
      {MORE}
    </button>
  );
}

/** Those of `first` in its order, then the others as they came. */
function inOrder(rows: readonly ActionRow[], first: readonly string[]): readonly ActionRow[] {
  const rank = ({ action }: ActionRow) => (first.includes(action) ? first.indexOf(action) : first.length);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}
