/** The few numbers one looks for first. */
import type { ReactNode } from 'react';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { span } from '../../../clock/words.ts';
import { money } from '../../../components/money.tsx';
import { doneIn } from './words.ts';

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function Numbers({ figures }: { readonly figures: Figures }) {
  const { leadTime, attempts, spent } = figures;
  const done = doneIn(figures);
  return (
    <dl className="numbers">
      <Number says="Issues done">{done}</Number>
      <Number says="Lead time, median">{leadTime === null ? '–' : span(leadTime.medianMs)}</Number>
      <Number says="Spent">{money(spent.usd)}</Number>
      <Number says="For each issue">{done === 0 ? '–' : money(spent.usd / done)}</Number>
      <Number says="Tokens">{SHORT.format(spent.tokens)}</Number>
      <Number says="Attempts">
        {attempts.total}
        {attempts.crashed > 0 && <span className="numbers-more"> {attempts.crashed} crashed</span>}
      </Number>
    </dl>
  );
}

function Number({ says, children }: { readonly says: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{says}</dt>
      <dd>{children}</dd>
    </div>
  );
}
