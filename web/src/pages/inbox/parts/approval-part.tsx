/** An approval: of a specification, with what the architect left, or of a merge, with every condition of it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { InboxItem } from '../../../../../src/protocol/operator.ts';
import type { Handoff } from '../../../../../src/protocol/verb.ts';
import { call } from '../../../api/request.ts';
import { Button } from '../../../components/button.tsx';
import { useConfirm } from '../../../components/confirm.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { plain } from '../../../text/plain.ts';
import { issuePath } from '../../board/issue-path.ts';
import { Checklist } from '../../issue/gates/checklist.tsx';
import { useKeptCurrent } from '../../issue/keep-current.ts';
import { gatesQuery, handoffsQuery } from '../../issue/queries.ts';
import { useSettle } from '../settle.ts';
import { SettleRow } from './action-row.tsx';
import { Folded } from './folded.tsx';

interface ApprovalPartProps {
  readonly issue: string;
  readonly approves: InboxItem['approves'];
  readonly isOpen: boolean;
}

export function ApprovalPart({ issue, approves, isOpen }: ApprovalPartProps) {
  const confirm = useConfirm();
  const settle = useSettle();
  // Treats an unknown subject as a merge, which weighs the most.
  const isMerge = approves === undefined || approves === 'merge';
  const approve = async () => {
    const question = {
      title: `Approve the merge of ${issue}?`,
      text: 'Legion merges its pull request as soon as every condition holds. To take it back, the merge has to be undone by another one.',
      action: 'Approve the merge',
    };
    if (isMerge && !(await confirm(question))) return;
    settle.run({ call: call('POST /issues/:id/approve', { params: { id: issue }, body: {} }) });
  };
  return (
    <>
      <Folded says={isMerge ? 'Conditions of the merge' : 'What the architect left'} isOpen={isOpen}>
        {isMerge ? <GatesPart issue={issue} /> : <HandoffPart issue={issue} />}
      </Folded>
      <SettleRow error={settle.error}>
        <Button
          look="main"
          icon="check"
          data-does="a"
          isBusy={settle.isPending}
          onClick={() => void approve()}
        >
          {isMerge ? 'Approve the merge' : approves === 'restart' ? 'Approve a new start' : 'Approve'}
        </Button>
        {isMerge && <Link to={`${issuePath(issue)}?tab=diff`}>Read the diff</Link>}
        <Link to={issuePath(issue)}>Open the issue</Link>
      </SettleRow>
    </>
  );
}

/** About as many as there are, so that nothing jumps when they come. */
const USUAL = 7;

/** The conditions of a merge as a list: what holds and what does not. */
function GatesPart({ issue }: { readonly issue: string }) {
  useKeptCurrent(issue);
  const { data: gates, error } = useQuery(gatesQuery(issue));
  if (gates === undefined)
    return error === null ? <SkeletonLines count={USUAL} /> : <FaultText error={error} />;
  const holding = gates.preMerge.filter(({ verdict }) => verdict === 'pass').length;
  return (
    <>
      <p className="inbox-gates-says">
        {holding === gates.preMerge.length
          ? 'Every condition holds'
          : `${holding} of ${gates.preMerge.length} conditions hold`}
        {gates.headSha !== null && (
          <span className="faint">
            {' '}
            at <code>{gates.headSha.slice(0, 8)}</code>
          </span>
        )}
      </p>
      <Checklist of={gates.preMerge} />
    </>
  );
}

const PARTS = [
  ['decided', 'Decided'],
  ['done', 'Done'],
  ['left', 'Left to do'],
  ['files', 'Files'],
  ['tests', 'Tests'],
] as const satisfies readonly (readonly [keyof Handoff, string])[];

/** Shows the architect's handoff, the specification to approve. */
function HandoffPart({ issue }: { readonly issue: string }) {
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
