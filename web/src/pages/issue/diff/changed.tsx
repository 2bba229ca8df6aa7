/** How much was added and taken away. */

interface ChangedProps {
  /** Null for a binary file. */
  readonly additions: number | null;
  readonly deletions: number | null;
}

export function Changed({ additions, deletions }: ChangedProps) {
  if (additions === null || deletions === null) return <span className="faint">binary</span>;
  return (
    <span className="changed number">
      {additions > 0 && <span className="tone-good">+{additions}</span>}
      {deletions > 0 && <span className="tone-bad">−{deletions}</span>}
    </span>
  );
}
