// The buttons of a workload, for every kind. Some commands lead elsewhere; what differs between kinds is data.
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { ActionButtons, type Questions } from '../action-buttons.tsx';
import type { ActedKind, ActionName, ActionTarget } from '../action-calls.ts';

interface ActionTable<Kind extends ActedKind, View> {
  kind: Kind;
  /** These come before the other commands. */
  first: readonly ActionName<Kind>[];
  /** The addresses that commands lead to. */
  leads: { readonly [Action in ActionName<Kind>]?: (id: string) => string };
  /** The losses and the things kept, by command. */
  useQuestions(target: View): () => Questions<Kind>;
}

interface ActionsProps<Kind extends ActedKind, View> {
  target: View & ActionTarget;
  shown: number;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: ((action: string) => void) | undefined;
  /** Commands that open one. */
  dialogs?: { readonly [Action in ActionName<Kind>]?: () => void };
  /** The page offers these itself. */
  without?: readonly ActionName<Kind>[];
}

export function workloadActions<Kind extends ActedKind, View>({
  kind,
  first,
  leads,
  useQuestions,
}: ActionTable<Kind, View>) {
  const paths = Object.entries(leads) as [string, (id: string) => string][];
  return function Actions({ target, shown, size = 'small', onDone, dialogs, without }: ActionsProps<Kind, View>) {
    const go = useNavigate();
    const led = Object.fromEntries(paths.map(([action, pathOf]) => [action, () => void go(pathOf(target.id))]));
    return (
      <ActionButtons
        kind={kind}
        target={target}
        first={first}
        shown={shown}
        size={size}
        questions={useQuestions(target)}
        own={{ ...(led as typeof dialogs), ...dialogs }}
        {...(without && { without })}
        {...(onDone && { onDone })}
      />
    );
  };
}

type Bar<View> = (props: {
  target: View;
  shown: number;
  size?: 'small' | 'medium';
  onDone?: (action: string) => void;
}) => ReactNode;

/** In a list: one button, the rest in the menu. */
export const inRow =
  <View,>(Actions: Bar<View>) =>
  (row: View) => <Actions target={row} shown={1} />;

/** On the object's page. */
export const onPage =
  <View,>(Actions: Bar<View>) =>
  (target: View, onDone: (action: string) => void) => (
    <Actions target={target} shown={2} size="medium" onDone={onDone} />
  );

/** The forms of a workload: its own, and that of a new one like it. */
export const toForms = (list: string) => ({
  edit: (id: string) => `${list}/${id}/edit`,
  clone: (id: string) => `${list}/create?${new URLSearchParams({ from: id })}`,
});
