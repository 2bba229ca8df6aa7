/**
 * Describes what a person is asked to approve: the specification in full, or the change with the
 * gates and their evidence. Every entry point and the tracker show this description.
 */
import { formatCount } from '../model/format.ts';
import { type ApprovalSubject, resolveApprovalSubject } from '../model/issue.ts';
import { checkPreMergeGate, type GateCondition } from '../pipeline/pre-merge.ts';
import { renderHandoff } from './comments/render-handoff.ts';
import type { IssueEvaluation } from './evaluate.ts';
import type { IssueRecord } from './state.ts';

export interface ApprovalDescription {
  readonly subject: ApprovalSubject;
  /** Identifies exactly what is described: the commit, or the revision of the specification. */
  readonly version: string;
  /** Markdown that can be shown as it is. */
  readonly text: string;
  readonly change?: ChangeSummary | undefined;
  /** The merge conditions with their evidence. Empty unless a merge is to be approved. */
  readonly gates: readonly GateCondition[];
}

interface ChangeSummary {
  readonly pullRequest: number;
  readonly headSha: string;
  readonly additions: number;
  readonly deletions: number;
  readonly files: readonly string[];
}

/** Maximum number of files listed by name. The pull request lists all of them. */
const MAX_LISTED_FILES = 30;

export function describeApproval(
  record: IssueRecord | undefined,
  { seen, signals, policy }: Pick<IssueEvaluation, 'seen' | 'signals' | 'policy'>,
): ApprovalDescription {
  const subject = resolveApprovalSubject(seen.status, [...signals.labels]);
  switch (subject) {
    case 'specification':
      return {
        subject,
        version: `specification-${record?.specification ?? 0}`,
        text: renderSpecification(record),
        gates: [],
      };
    case 'restart':
      return { subject, version: 'restart', text: 'A new start of the work after its rollback.', gates: [] };
    case 'merge': {
      const gates = checkPreMergeGate(signals, policy);
      const change = summarizeChange(seen);
      const version = change?.headSha ?? 'unknown';
      return { subject, version, text: renderMerge(change, gates), change, gates };
    }
  }
}

function summarizeChange({ pullRequest }: IssueEvaluation['seen']): ChangeSummary | undefined {
  if (typeof pullRequest !== 'object') return undefined;
  const { number, headSha, additions, deletions, changedFiles } = pullRequest;
  return { pullRequest: number, headSha, additions, deletions, files: changedFiles };
}

function renderMerge(change: ChangeSummary | undefined, gates: readonly GateCondition[]): string {
  const conditions = gates.map(({ name, verdict, evidence }) => `- ${verdict}: ${name} (${evidence})`);
  return [...renderChange(change), '', 'Merge conditions:', ...conditions].join('\n');
}

function renderChange(change: ChangeSummary | undefined): readonly string[] {
  if (change === undefined) return ['The pull request cannot be read now.'];
  const { pullRequest, headSha, additions, deletions, files } = change;
  const size = `${formatCount(files.length, 'file')}, +${additions} -${deletions}`;
  const more = files.length - MAX_LISTED_FILES;
  return [
    `Pull request ${pullRequest} at commit ${headSha.slice(0, 10)}: ${size}`,
    ...files.slice(0, MAX_LISTED_FILES).map((file) => `- ${file}`),
    ...(more > 0 ? [`- and ${formatCount(more, 'more file')}`] : []),
  ];
}

/** Renders the specification in full. */
export function renderSpecification(record: IssueRecord | undefined): string {
  return (
    renderHandoff(record?.handoffs.architect) ??
    'The architect left no specification; the text of the issue applies.'
  );
}
