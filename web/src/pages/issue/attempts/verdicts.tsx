/** What was found about an attempt's health, with the facts it was found by. */
import type { Attempt } from '../../../../../src/protocol/dashboard.ts';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { TimeOfDay } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';

export function Verdicts({ of }: { readonly of: Attempt['verdicts'] }) {
  if (of.length === 0) return null;
  return (
    <ol className="verdicts" aria-label="Verdicts">
      {of.map(({ at, says, evidence }) => (
        <li key={`${at} ${says}`}>
          <TimeOfDay at={at} />
          <div>
            <p>{plain(says)}</p>
            <EvidenceFold of={evidence} />
          </div>
        </li>
      ))}
    </ol>
  );
}
