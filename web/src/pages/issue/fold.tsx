/** What is there for whoever wants to know more: closed until it is asked for. */
import type { ReactNode } from 'react';
import { plain } from '../../text/plain.ts';

export function Fold({ says, children }: { readonly says: ReactNode; readonly children: ReactNode }) {
  return (
    <details className="fold">
      <summary>{says}</summary>
      <div className="fold-content">{children}</div>
    </details>
  );
}

/** Facts as they were recorded. */
export function Evidence({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className="evidence">
      {[...new Set(of)].map((fact) => (
        <li key={fact}>{plain(fact)}</li>
      ))}
    </ul>
  );
}
