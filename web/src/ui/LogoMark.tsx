/** Two overlapping pictures. */
export function LogoMark() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <rect x="7" y="3" width="14" height="14" rx="3" />
      <path d="M17 21H7a4 4 0 0 1-4-4V7" />
      <path d="m8 15 3.5-4 3 3 2-2 4 4" />
    </svg>
  );
}
