// How a line looks, beside its name: its colour and its dashes.
import { dashOf } from './ink.ts';

export const Swatch = ({ colour, at }: { colour: string; at: number }) => (
  <svg aria-hidden width={16} height={8} style={{ flex: 'none' }}>
    <line x1={0} x2={16} y1={4} y2={4} stroke={colour} strokeWidth={2.5} strokeDasharray={dashOf(at)} />
  </svg>
);
