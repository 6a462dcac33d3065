// The parts that a person sees: the permission nodes of their role, bound to menus and buttons.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { cloneElement, type ReactElement } from 'react';
import { useCall } from '../client/use-api.tsx';
import { useUiWords } from '../i18n/use-words.tsx';
import { Hint } from '../widgets/hint.tsx';
import { nodesInput } from './nodes-input.ts';

/** Whether the person holds an element node: a route's id such as `createInstance`, or `gpuInstance.stop`. */
export function useMay(): (element: string) => boolean {
  const { data = [] } = useCall(CALLS.getPermissionNodes, nodesInput('tenant'), { staleMs: Number.POSITIVE_INFINITY });
  return (element) => data.some(({ pname, peltype }) => peltype === 'element' && pname === element);
}

interface GuardedProps {
  node: string;
  /** Away altogether instead of disabled. */
  isHidden?: boolean;
  children: ReactElement<{ disabled?: boolean }>;
}

/** A button that is disabled, with an explanation, without the node. */
export function Guarded({ node, isHidden, children }: GuardedProps) {
  const may = useMay();
  const t = useUiWords();
  if (may(node)) return children;
  if (isHidden) return null;
  return (
    <Hint title={t('permission.none')}>
      {/* A disabled button has no events of its own: what is around it shows the tooltip, also to the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
      <span tabIndex={0} style={{ display: 'inline-block' }}>
        {cloneElement(children, { disabled: true })}
      </span>
    </Hint>
  );
}
