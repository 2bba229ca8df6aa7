/** A plan as an ordered list of steps. Each step shows its summary, with its other fields below. */
import { toPlainText } from '../../../text/plain.ts';
import { Terms, ValueView } from './value-view.tsx';

/** Keys that planners use for the summary of a step. */
const NAMES = ['step', 'title', 'what', 'summary', 'name'];

export function Steps({ of }: { readonly of: readonly unknown[] }) {
  return (
    <ol className="steps">
      {of.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position.
        <li key={index}>
          <Step of={step} />
        </li>
      ))}
    </ol>
  );
}

function Step({ of }: { readonly of: unknown }) {
  if (typeof of !== 'object' || of === null || Array.isArray(of)) return <ValueView value={of} />;
  const entries = Object.entries(of);
  const name = NAMES.find((candidate) => typeof Object.fromEntries(entries)[candidate] === 'string');
  const rest = entries.filter(([key, value]) => key !== name && !isEmpty(value));
  return (
    <>
      {name !== undefined && (
        <strong className="text">{toPlainText(String(Object.fromEntries(entries)[name]))}</strong>
      )}
      {rest.length > 0 && <Terms of={rest} />}
    </>
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
