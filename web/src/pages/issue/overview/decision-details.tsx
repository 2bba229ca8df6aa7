/** The decision as Legion recorded it: codes, counts and evidence, closed until somebody asks for them. */
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { Details } from '../../../components/details.tsx';
import { Evidence } from '../../../components/evidence.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Time } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';

export function DecisionDetails({ of: { state, since, rounds, openIntents } }: { readonly of: Explanation }) {
  const counted = Object.entries(rounds).filter(([, count]) => count > 0);
  return (
    <Details>
      <dl className="facts">
        <Fact name="Reason">
          <code>{plain(state.reason)}</code>
        </Fact>
        <Fact name="Action">
          <code>{state.suggestedAction}</code>
        </Fact>
        <Fact name="Until">{plain(state.until.what)}</Fact>
        {since !== null && (
          <Fact name="For">
            <Time at={since} />
          </Fact>
        )}
        {counted.length > 0 && (
          <Fact name="Rounds">
            {counted.map(([reason, count]) => `${reason.replaceAll('_', ' ')} ${count}`).join(', ')}
          </Fact>
        )}
        {openIntents.length > 0 && (
          <Fact name="Under way">
            {openIntents.map(({ intent, kind, since: begun }) => (
              <div key={intent}>
                {kind.replaceAll('_', ' ')}, <Time at={begun} suffix=" ago" />
              </div>
            ))}
          </Fact>
        )}
        {state.evidence.length > 0 && (
          <Fact name="Evidence">
            <Evidence of={state.evidence} />
          </Fact>
        )}
      </dl>
    </Details>
  );
}
