/** The facts behind something, as they were recorded: in sight, or closed until somebody asks for them. */
import { plain } from '../text/plain.ts';

/** Nothing where there are none. */
export function EvidenceFold({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <details className="fold">
      <summary>Evidence ({of.length})</summary>
      <div className="fold-content">
        <Evidence of={of} />
      </div>
    </details>
  );
}

export function Evidence({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className="evidence">
      {[...new Set(of)].map((fact) => (
        <li key={fact}>{plain(fact)}</li>
      ))}
    </ul>
  );
}
