/** The facts behind something, as they were recorded: in sight, or closed until somebody asks for them. */
import { plain } from '../text/plain.ts';
import { Details } from './details.tsx';

/** Nothing where there are none. */
export function EvidenceFold({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <Details>
      <Evidence of={of} />
    </Details>
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
