/**
 * The auto-merge gate: conditions for merging a small, safe, well-tested change without a person.
 */

import type { PipelinePolicy } from './policy.ts';
import { createGateCondition, type GateCondition, judgeGate } from './pre-merge.ts';

/** Larger changes need a person's review. The specification sets these figures. */
const MAX_CHANGED_LINES = 100;
const MAX_CHANGED_FILES = 2;

const SAFE_LABELS = ['bug', 'fix', 'docs', 'config', 'skill', 'chore'];
const UNSAFE_LABELS = ['feature', 'breaking', 'security', 'infra'];

/**
 * Static checks prove that the code compiles, not that it works. A suite without a name proves
 * nothing.
 */
const STATIC_SUITES = new Set(['', 'lint', 'typecheck', 'types', 'format']);

const INFRASTRUCTURE_PATHS: readonly RegExp[] = [
  /(^|\/)(dockerfile|containerfile)(\.[^/]*|[_-][^/.]*)?$/i,
  /\.dockerfile$/i,
  /(^|\/)(docker-)?compose[^/]*\.ya?ml$/i,
  /^\.github\/(workflows|actions)\//i,
  /^\.gitlab-ci\.ya?ml$/i,
  /^\.circleci\//i,
  /(^|\/)(jenkinsfile|azure-pipelines\.ya?ml)$/i,
  /\.(tf|tfvars)(\.json)?$/i,
  /\.hcl$/i,
  /(^|\/)terraform\//i,
  /(^|\/)pulumi(\/|[^/]*\.ya?ml$)/i,
];

export interface MergeCandidate {
  readonly draft: boolean;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: readonly string[];
  /** Names of dependencies added to manifests. `unknown` if a manifest could not be read. */
  readonly addedDependencies: readonly string[] | 'unknown';
  readonly testSuites: readonly string[];
  readonly labels: ReadonlySet<string>;
}

/** Returns `not_allowed` if the operator or the repository has disabled auto-merge. */
export function judgeAutoMerge(
  candidate: MergeCandidate,
  policy: PipelinePolicy,
): 'pass' | 'fail' | 'unknown' | 'not_allowed' {
  if (!policy.autoMergeAllowed || policy.approvals.merge === 'required') return 'not_allowed';
  return judgeGate(checkAutoMergeGate(candidate));
}

export function checkAutoMergeGate(candidate: MergeCandidate): GateCondition[] {
  const lines = candidate.additions + candidate.deletions;
  const files = candidate.changedFiles.length;
  const infrastructure = candidate.changedFiles.filter((path) =>
    INFRASTRUCTURE_PATHS.some((pattern) => pattern.test(path)),
  );
  const suites = candidate.testSuites.filter((suite) => !isStaticSuite(suite));
  const hasQuestion = candidate.labels.has('user-input-needed');
  return [
    createGateCondition('not_draft', !candidate.draft, `draft=${candidate.draft}`),
    createGateCondition('no_open_question', !hasQuestion, `user-input-needed=${hasQuestion}`),
    createGateCondition('tested_beyond_static', suites.length > 0, `suites=${formatNames(suites)}`),
    createGateCondition(
      'small',
      lines <= MAX_CHANGED_LINES && files <= MAX_CHANGED_FILES,
      `lines=${lines}/${MAX_CHANGED_LINES}, files=${files}/${MAX_CHANGED_FILES}`,
    ),
    checkAddedDependencies(candidate.addedDependencies),
    createGateCondition(
      'no_infrastructure',
      infrastructure.length === 0,
      `infrastructure=${formatNames(infrastructure)}`,
    ),
    checkSafeKind(candidate.labels),
  ];
}

/** Treats `type-check`, `Type check` and `typecheck` as equal. */
function isStaticSuite(suite: string): boolean {
  return STATIC_SUITES.has(suite.toLowerCase().replace(/[\s_-]+/g, ''));
}

function checkAddedDependencies(added: MergeCandidate['addedDependencies']): GateCondition {
  if (added === 'unknown')
    return createGateCondition('no_dependency_added', 'unknown', 'dependencies=unknown');
  return createGateCondition('no_dependency_added', added.length === 0, `dependencies=${formatNames(added)}`);
}

function checkSafeKind(labels: ReadonlySet<string>): GateCondition {
  const lower = new Set([...labels].map((label) => label.trim().toLowerCase()));
  const safe = SAFE_LABELS.filter((label) => lower.has(label));
  const unsafe = UNSAFE_LABELS.filter((label) => lower.has(label));
  return createGateCondition(
    'safe_kind',
    safe.length > 0 && unsafe.length === 0,
    describeKindLabels(safe, unsafe),
  );
}

function formatNames(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(' ');
}

function describeKindLabels(safe: readonly string[], unsafe: readonly string[]): string {
  if (unsafe.length > 0) return `labels that need a person: ${unsafe.join(', ')}`;
  if (safe.length > 0) return `safe labels: ${safe.join(', ')}`;
  return `none of the labels ${SAFE_LABELS.join(', ')}`;
}
