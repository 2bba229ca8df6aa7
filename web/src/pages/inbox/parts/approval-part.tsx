/**
 * Approves a specification (shown as the architect's handoff) or a merge (shown with all of its
 * conditions).
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { InboxItem } from '../../../../../src/protocol/operator.ts';
import type { Handoff } from '../../../../../src/protocol/verb.ts';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { Button } from '../../../components/button.tsx';
import { useConfirm } from '../../../components/confirm.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { toIssuePath } from '../../board/issue-path.ts';
import { RejectDialog } from '../../issue/actions/reject-dialog.tsx';
import { Checklist } from '../../issue/gates/checklist.tsx';
import { createGatesQuery, createHandoffsQuery } from '../../issue/queries.ts';
import { useRefreshOnEvents } from '../../issue/refresh-on-events.ts';
import { INBOX_STALE_QUERIES } from '../queries.ts';
import { InboxActionRow } from './action-row.tsx';
import { Folded } from './folded.tsx';

interface ApprovalPartProps {
  readonly issue: string;
  readonly approves: InboxItem['approves'];
  readonly isOpen: boolean;
}

export function ApprovalPart({ issue, approves, isOpen }: ApprovalPartProps) {
  const confirm = useConfirm();
  const mutation = useActionMutation(INBOX_STALE_QUERIES);
  const [isRejecting, setRejecting] = useState(false);
  // If it is unknown what is to be approved, assumes a merge, because approving a merge has the
  // most serious consequences.
  const isMerge = approves === undefined || approves === 'merge';
  const approve = async () => {
    const question = {
      title: `Approve the merge of ${issue}?`,
      text: 'Legion merges its pull request as soon as every condition is met. Undoing this requires another merge.',
      action: 'Approve merge',
    };
    if (isMerge && !(await confirm(question))) return;
    mutation.mutate({
      call: createCall('POST /issues/:id/approve', {
        params: { id: issue },
        body: { through: 'dashboard' },
      }),
    });
  };
  return (
    <>
      <Folded label={isMerge ? 'Merge conditions' : 'Architect’s handoff'} isOpen={isOpen}>
        {isMerge ? <GatesPart issue={issue} /> : <HandoffPart issue={issue} />}
      </Folded>
      <InboxActionRow error={mutation.error}>
        <Button
          variant="main"
          icon="check"
          data-does="a"
          isBusy={mutation.isPending}
          onClick={() => void approve()}
        >
          {isMerge ? 'Approve merge' : approves === 'restart' ? 'Approve a new start' : 'Approve'}
        </Button>
        {approves !== 'restart' && <Button onClick={() => setRejecting(true)}>Reject…</Button>}
        {isMerge && <Link to={`${toIssuePath(issue)}?tab=diff`}>Read the diff</Link>}
        <Link to={toIssuePath(issue)}>Open the issue</Link>
      </InboxActionRow>
      {isRejecting && (
        <RejectDialog issue={issue} stale={INBOX_STALE_QUERIES} onClose={() => setRejecting(false)} />
      )}
    </>
  );
}

/**
 * Usual number of conditions. Reserves space for them, so that the layout does not jump when they
 * load.
 */
const USUAL_CONDITIONS = 7;

/** Lists the conditions of a merge: those that are met and those that are not. */
function GatesPart({ issue }: { readonly issue: string }) {
  useRefreshOnEvents(issue);
  const { data: gates, error } = useQuery(createGatesQuery(issue));
  if (gates === undefined)
    return error === null ? <SkeletonLines count={USUAL_CONDITIONS} /> : <FaultText error={error} />;
  const holding = gates.preMerge.filter(({ verdict }) => verdict === 'pass').length;
  return (
    <>
      <p className="inbox-gates-says">
        {holding === gates.preMerge.length
          ? 'Every condition is met'
          : `${holding} of ${gates.preMerge.length} conditions are met`}
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
  const { data, error } = useQuery(createHandoffsQuery(issue));
  if (data === undefined) return error === null ? <SkeletonLines count={4} /> : <FaultText error={error} />;
  const handoff = data.handoffs.architect;
  if (!isHandoff(handoff))
    return <p className="faint">The architect left no handoff; its comments are on the issue.</p>;
  return (
    <div className="inbox-handoff" dir="auto">
      <Markdown text={handoff.summary} under={3} />
      {PARTS.map(([name, label]) => (
        <Lines key={name} label={label} lines={handoff[name]} />
      ))}
      {handoff.details !== undefined && (
        <p>
          More details: <Link to={`${toIssuePath(issue)}?tab=handoffs`}>open the handoff</Link>
        </p>
      )}
    </div>
  );
}

function Lines({ label, lines }: { readonly label: string; readonly lines: readonly string[] | undefined }) {
  if (!Array.isArray(lines) || lines.length === 0) return null;
  return (
    <section>
      <h4>{label}</h4>
      <ul className="bullets">
        {lines.map((line) => (
          <li key={line}>{toPlainText(String(line))}</li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Checks the shape, because the journal contains old handoffs in the format of the time when they
 * were written.
 */
function isHandoff(value: unknown): value is Partial<Handoff> & Pick<Handoff, 'summary'> {
  return (
    typeof value === 'object' && value !== null && 'summary' in value && typeof value.summary === 'string'
  );
}
