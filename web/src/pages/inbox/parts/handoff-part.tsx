/** What the architect left for those after it: the specification that is to be approved. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Handoff } from '../../../../../src/protocol/verb.ts';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { plain } from '../../../text/plain.ts';
import { issuePath } from '../../board/issue-path.ts';
import { handoffsQuery } from '../../issue/queries.ts';

const PARTS = [
  ['decided', 'Decided'],
  ['done', 'Done'],
  ['left', 'Left to do'],
  ['files', 'Files'],
  ['tests', 'Tests'],
] as const satisfies readonly (readonly [keyof Handoff, string])[];

export function HandoffPart({ issue }: { readonly issue: string }) {
  const { data, error } = useQuery(handoffsQuery(issue));
  if (data === undefined) return error === null ? <SkeletonLines count={4} /> : <FaultText error={error} />;
  const handoff = data.handoffs.architect;
  if (!isHandoff(handoff))
    return <p className="faint">The architect left no handoff; its comments are on the issue.</p>;
  return (
    <div className="inbox-handoff" dir="auto">
      <Markdown text={handoff.summary} under={3} />
      {PARTS.map(([name, says]) => (
        <Lines key={name} says={says} lines={handoff[name]} />
      ))}
      {handoff.details !== undefined && (
        <p>
          There are details too: <Link to={`${issuePath(issue)}?tab=handoffs`}>all that it left</Link>
        </p>
      )}
    </div>
  );
}

function Lines({ says, lines }: { readonly says: string; readonly lines: readonly string[] | undefined }) {
  if (!Array.isArray(lines) || lines.length === 0) return null;
  return (
    <section>
      <h4>{says}</h4>
      <ul className="bullets">
        {lines.map((line) => (
          <li key={line}>{plain(String(line))}</li>
        ))}
      </ul>
    </section>
  );
}

/** The journal keeps whatever form it had when it was written. */
function isHandoff(value: unknown): value is Partial<Handoff> & Pick<Handoff, 'summary'> {
  return (
    typeof value === 'object' && value !== null && 'summary' in value && typeof value.summary === 'string'
  );
}
