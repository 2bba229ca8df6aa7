/**
 * Renders any JSON as readable text: objects as term lists, arrays as lists, everything else as is.
 */
import type { ReactNode } from 'react';
import { toPlainText } from '../../../text/plain.ts';

/** Maximum depth, which is more than people write by hand. Deeper values are shown as raw JSON. */
const DEEPEST = 6;
/**
 * Maximum number of list entries shown. Longer lists are truncated, because handoffs are meant to
 * be read by people.
 */
const MAX_LIST_ENTRIES = 200;

interface ValueViewProps {
  readonly value: unknown;
  readonly depth?: number;
}

export function ValueView({ value, depth = 0 }: ValueViewProps): ReactNode {
  if (typeof value === 'string') return <span className="text">{toPlainText(value)}</span>;
  if (typeof value !== 'object' || value === null) return <code>{String(value)}</code>;
  if (depth >= DEEPEST) return <code className="text">{toPlainText(JSON.stringify(value))}</code>;
  if (Array.isArray(value)) return <List of={value} depth={depth} />;
  return <Terms of={Object.entries(value)} depth={depth} />;
}

function List({ of, depth }: { readonly of: readonly unknown[]; readonly depth: number }) {
  if (of.length === 0) return <span className="faint">none</span>;
  // A list with a single entry, or with only numbers, is shown without list formatting.
  if (of.length === 1 || of.every((entry) => typeof entry === 'number')) {
    return of.length === 1 ? <ValueView value={of[0]} depth={depth + 1} /> : <code>{of.join(', ')}</code>;
  }
  return (
    <ul className="bullets">
      {of.slice(0, MAX_LIST_ENTRIES).map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
        <li key={index}>
          <ValueView value={entry} depth={depth + 1} />
        </li>
      ))}
      {of.length > MAX_LIST_ENTRIES && <li className="faint">and {of.length - MAX_LIST_ENTRIES} more</li>}
    </ul>
  );
}

export function Terms({
  of,
  depth = 0,
}: {
  readonly of: readonly (readonly [string, unknown])[];
  readonly depth?: number;
}) {
  if (of.length === 0) return <span className="faint">none</span>;
  return (
    <dl className="terms">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{toPlainText(name.replaceAll('_', ' '))}</dt>
          <dd>
            <ValueView value={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
