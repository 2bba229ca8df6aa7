/** A box with one aspect of the current state. */
import { type ReactNode, useId } from 'react';

export function Tile({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className="tile" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
