/** The few numbers one looks for first. */
import type { ReactNode } from 'react';
import { span } from '../../../../../src/domain/span.ts';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { money } from '../../../components/money.tsx';
import { doneIn } from './words.ts';

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function Numbers({ figures }: { readonly figures: Figures }) {
  const { leadTime, attempts, spent } = figures;
  const done = doneIn(figures);
  return (
    <dl className="numbers">
      <Amount says="Issues done">{done}</Amount>
      <Amount says="Lead time, median">{leadTime === null ? '–' : span(leadTime.medianMs)}</Amount>
      <Amount says="Spent">{money(spent.usd)}</Amount>
      <Amount says="For each issue">{done === 0 ? '–' : money(spent.usd / done)}</Amount>
      <Amount says="Tokens">{SHORT.format(spent.tokens)}</Amount>
      <Amount says="Attempts">
        {attempts.total}
        {attempts.crashed > 0 && <span className="numbers-more"> {attempts.crashed} crashed</span>}
      </Amount>
    </dl>
  );
}

function Amount({ says, children }: { readonly says: string; readonly children: ReactNode }) {
  return (
    <div className="numbers-one">
      <dt>{says}</dt>
      <dd>{children}</dd>
    </div>
  );
}
