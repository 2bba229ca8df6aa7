/** Shows the recorded facts behind a statement, either expanded or collapsed. */
import { toPlainText } from '../text/plain.ts';
import { Details } from './details.tsx';

/** Shows the facts collapsed. Renders nothing if there are no facts. */
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
        <li key={fact}>{toPlainText(fact)}</li>
      ))}
    </ul>
  );
}
