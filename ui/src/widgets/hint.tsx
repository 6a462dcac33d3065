// A tooltip that is created when the pointer or focus comes near: hardly one in a list is ever seen, and MUI's own renders its
// child a second time, at once, wherever it is first rendered.
import Tooltip from '@mui/material/Tooltip';
import {
  cloneElement,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  useId,
  useRef,
  useState,
} from 'react';

// A finger that stays: before browsers take it for one that selects text. What it covered is read once it is lifted.
const TOUCH = { comesInMs: 400, staysMs: 1500 };
const MOUSE = { comesInMs: 100, staysMs: 0 };
const waitsOf = ({ pointerType }: PointerEvent) => (pointerType === 'touch' ? TOUCH : MOUSE);

/** Screen readers read `title` while it is not shown. */
export function Hint({ title, children }: { title: string; children: ReactElement<HTMLAttributes<HTMLElement>> }) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [isOpen, setOpen] = useState(false);
  const wait = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  const turn = (open: boolean, inMs: number) => {
    clearTimeout(wait.current);
    wait.current = setTimeout(setOpen, inMs, open);
  };
  return (
    <>
      {cloneElement(children, {
        ...(isOpen ? { 'aria-describedby': id } : { title }),
        onPointerEnter: (event) => {
          setAnchor(event.currentTarget);
          turn(true, waitsOf(event).comesInMs);
        },
        onPointerLeave: (event) => turn(false, waitsOf(event).staysMs),
        onFocus: ({ currentTarget }) => {
          // A pointer press opens it anyway.
          if (!currentTarget.matches(':focus-visible')) return;
          setAnchor(currentTarget);
          turn(true, 0);
        },
        onBlur: () => turn(false, 0),
      })}
      {anchor && (
        // Beside it, and not around it: an element that is another one now no longer hears of the finger on it.
        <Tooltip
          id={id}
          title={title}
          open={isOpen}
          onClose={() => setOpen(false)}
          slotProps={{ popper: { anchorEl: anchor, onPointerEnter: () => turn(true, 0) } }}
        >
          <span hidden />
        </Tooltip>
      )}
    </>
  );
}
