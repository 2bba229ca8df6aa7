/** Details that only some readers want, such as codes, probes and numbers. Closed by default. */
import type { ReactNode } from 'react';

export function Details({ children }: { readonly children: ReactNode }) {
  return (
    <details className="fold">
      <summary>Details</summary>
      <div className="fold-content">{children}</div>
    </details>
  );
}
