// The product's mark, in the accent that is chosen.

export const Mark = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden style={{ flex: 'none' }}>
    <rect width="32" height="32" rx="7" fill="var(--mui-palette-filled-main)" />
    <path
      d="M5 9.5h22M8 9.5v15.5M24 9.5v15.5M5.5 25h5M21.5 25h5M16 9.5v5"
      fill="none"
      stroke="#fff"
      strokeWidth="2.4"
      strokeLinecap="round"
    />
    <rect x="12" y="14.5" width="8" height="6" rx="1.2" fill="#fff" />
  </svg>
);
