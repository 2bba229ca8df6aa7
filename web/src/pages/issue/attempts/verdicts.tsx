/** What was found about an attempt's health, with the facts it was found by. */
import type { Attempt } from '../../../../../src/protocol/dashboard.ts';
import { moment, time } from '../../../clock/words.ts';
import { plain } from '../../../text/plain.ts';
import { Evidence, Fold } from '../fold.tsx';

export function Verdicts({ of }: { readonly of: Attempt['verdicts'] }) {
  if (of.length === 0) return null;
  return (
    <ol className="verdicts" aria-label="Verdicts">
      {of.map(({ at, says, evidence }) => (
        <li key={`${at} ${says}`}>
          <time className="time faint" dateTime={new Date(at).toISOString()} title={moment(at)}>
            {time(at)}
          </time>
          <div>
            <p>{plain(says)}</p>
            {evidence.length > 0 && (
              <Fold says={`Evidence (${evidence.length})`}>
                <Evidence of={evidence} />
              </Fold>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
