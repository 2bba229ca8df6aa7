/**
 * Active problems of the legion itself. There are no buttons to settle them, but each problem
 * states its next step.
 */
import { useId } from 'react';
import type { HealthView } from '../../../../src/protocol/status.ts';
import { CommandText } from '../../components/command-text.tsx';
import { Time } from '../../components/time.tsx';

export function ActiveProblems({ troubles }: Pick<HealthView, 'troubles'>) {
  const id = useId();
  const oldestFirst = troubles.toSorted((a, b) => a.since - b.since);
  return (
    <section className="inbox-group" aria-labelledby={id}>
      <h2 id={id}>
        Problems <span className="inbox-count">{troubles.length}</span>
      </h2>
      {oldestFirst.map(({ code, message, next, since }) => (
        <div key={`${code} ${message}`} className="inbox-trouble">
          <p>
            <CommandText text={message} />
          </p>
          <p className="fault-next">
            <CommandText text={next} />{' '}
            <span className="faint">
              <code>{code}</code>, <Time at={since} suffix=" ago" />
            </span>
          </p>
        </div>
      ))}
    </section>
  );
}
