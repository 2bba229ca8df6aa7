/** Problems of the legion itself: none can be settled by a click, each says what to do. */
import { useId } from 'react';
import type { HealthView } from '../../../../src/protocol/operator.ts';
import { CommandText } from '../../components/command-text.tsx';
import { Time } from '../../components/time.tsx';

export function Troubles({ troubles }: Pick<HealthView, 'troubles'>) {
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
