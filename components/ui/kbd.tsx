/** The key that does the same; for the eye only, so that a button's name stays its word. */
export function Kbd({ children }: { children: string }) {
  return (
    <span className="kbd" aria-hidden="true">
      {children}
    </span>
  );
}
