// An object's commands: the first ones as buttons, the rest in a menu. The rows come with its view; commands that interrupt,
// destroy or cost ask first.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button, { type ButtonProps } from '@mui/material/Button';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { type ComponentProps, type CSSProperties, useId, useState } from 'react';
import { type ActedKind, type ActionName, type ActionRow, type ActionTarget, useAct } from './action-calls.ts';
import { ActionQuestion, type Question } from './action-question.tsx';
import { useIsBesideNextStep } from './head/next-step.tsx';
import { usePartsWords } from './use-parts-words.ts';

/** Additional entries of an object's bar besides its kind's commands: they open a page or a dialog. */
export interface Extra {
  label: string;
  node: string;
  isDisabled?: boolean;
  onPick(): void;
}

interface ActionButtonsProps<Kind extends ActedKind> {
  kind: Kind;
  target: ActionTarget;
  /** Before the commands. */
  extras?: readonly Extra[];
  /** How many of all are buttons. */
  shown?: number;
  /** These come before the other commands. */
  first?: readonly ActionName<Kind>[];
  /** These are not offered. */
  without?: readonly ActionName<Kind>[];
  /** Commands that open a page or a dialog. */
  own?: { readonly [Action in ActionName<Kind>]?: () => void };
  /** Questions where the plain one does not say enough; made on demand, because lists have many rows. */
  questions?: () => Questions<Kind>;
  /** After a command was accepted. */
  onDone?: (action: string) => void;
  size?: 'small' | 'medium';
}

/** By command. */
export type Questions<Kind extends ActedKind> = {
  readonly [Action in ActionName<Kind>]?: Question<ActionName<Kind>>;
};

/** A button, or an entry of the menu. */
interface Item {
  readonly key: string;
  readonly label: string;
  readonly node: string;
  readonly danger: ActionRow['danger'];
  readonly brief?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isLoading?: boolean;
  press(): void;
}

const IN_LINE: CSSProperties = { display: 'flex', gap: 4, alignItems: 'center', justifyContent: 'flex-end' };
/** A row of a list is as high as its neighbours. */
const STYLES = { small: IN_LINE, medium: { ...IN_LINE, flexWrap: 'wrap' } } as const;

export function ActionButtons<Kind extends ActedKind>({
  kind,
  target,
  extras = [],
  shown = 1,
  first = [],
  without = [],
  own: ownOf = {},
  questions: questionsOf,
  onDone,
  size = 'small',
}: ActionButtonsProps<Kind>) {
  const t = usePartsWords();
  const ui = useUiWords();
  const [menuAt, setMenuAt] = useState<HTMLElement>();
  // Not before it was opened once: most of a list's never are.
  const [hasMenu, setHasMenu] = useState(false);
  const [asked, setAsked] = useState<ActionRow>();
  const act = useAct(kind);
  const isSecond = useIsBesideNextStep();
  const id = useId();

  // A view names its commands by text: it may be of a newer gateway.
  const own: ByText<() => void> = ownOf;
  const questions = (): ByText<Question> => questionsOf?.() ?? {};
  // Only with room for words: on a page of its own, and in an open menu.
  const briefs = size === 'medium' || hasMenu ? questions() : {};
  const give = (row: ActionRow) => {
    const go = own[row.action];
    if (go) go();
    else if (row.danger !== 'none' || row.price || questions()[row.action]) setAsked(row);
    else act.give(target.id, row.action, {}, { onSuccess: () => onDone?.(row.action) });
  };
  const items: readonly Item[] = [
    ...extras.map(({ onPick, ...extra }) => ({ ...extra, key: extra.label, danger: 'none' as const, press: onPick })),
    ...inOrder(target.actions, first, without).map((row) => ({
      key: row.action,
      label: row.label,
      node: `${kind}.${row.action}`,
      danger: row.danger,
      brief: briefs[row.action]?.brief,
      isLoading: act.isPending && act.variables.body.action === row.action,
      press: () => give(row),
    })),
  ];
  const inMenu = items.slice(shown);
  return (
    <div style={STYLES[size]}>
      {items.slice(0, shown).map(({ key, label, node, danger, brief, isDisabled, isLoading, press }, at) => (
        <Guarded key={key} node={node}>
          <CommandButton
            brief={brief}
            size={size}
            variant={at === 0 && danger === 'none' && key !== 'edit' && !isSecond ? 'contained' : 'outlined'}
            disabled={isDisabled === true}
            loading={isLoading === true}
            onClick={press}
          >
            {label}
          </CommandButton>
        </Guarded>
      ))}
      {inMenu.length > 0 && (
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
          {inMenu.map(({ key, label, node, danger, brief, isDisabled, press }) => (
            <Guarded key={key} node={node}>
              <MenuItem
                disabled={isDisabled === true}
                onClick={() => {
                  setMenuAt(undefined);
                  press();
                }}
                {...(brief && { 'aria-describedby': `${id}${key}-brief` })}
                sx={{ whiteSpace: 'normal', color: danger === 'destroys' ? 'error.main' : 'text.primary' }}
              >
                <ListItemText
                  primary={label}
                  secondary={brief}
                  // It describes the command, and is no part of its name.
                  slotProps={{
                    secondary: { id: `${id}${key}-brief`, 'aria-hidden': true, variant: 'caption', component: 'p' },
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

type ByText<Value> = Readonly<Record<string, Value | undefined>>;

/** A command's button; its effect on saved data and costs is a tooltip, for pointer, keyboard and screen readers. */
function CommandButton({ brief, ...button }: ButtonProps & { brief: string | undefined }) {
  if (button.size === 'small') return <SmallButton {...button} />;
  if (brief === undefined) return <Button {...button} />;
  return (
    // A disabled button has no events; the element around it then shows the reason.
    <Tooltip title={button.disabled || button.loading ? '' : brief} describeChild>
      <Button {...button} />
    </Tooltip>
  );
}

/** In a list, where each row has one: a plain element. */
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

/** Those of `first` in its order, then the others unchanged. */
function inOrder(rows: readonly ActionRow[], first: readonly string[], without: readonly string[]) {
  const rank = ({ action }: ActionRow) => (first.includes(action) ? first.indexOf(action) : first.length);
  return rows.filter(({ action }) => !without.includes(action)).toSorted((a, b) => rank(a) - rank(b));
}
