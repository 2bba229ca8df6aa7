/** Lists the parts of an issue that could not be read, each with its next step. */
import { toPlainText } from '../text/plain.ts';
import { Icon } from './icon.tsx';

export function Problems({ of = [] }: { readonly of: readonly string[] | undefined }) {
  return of.length === 0 ? null : (
    <ul className="problems" aria-label="Problems">
      {of.map((problem) => (
        <li key={problem}>
          <Icon name="bell" size={13} />
          <span dir="auto">{toPlainText(problem)}</span>
        </li>
      ))}
    </ul>
  );
}
