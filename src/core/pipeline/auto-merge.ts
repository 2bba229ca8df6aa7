/** The auto-merge gate: when a small, safe, well-tested change may be merged without a person. */

import { type Condition, condition, gateVerdict } from '../../pipeline/gates/condition.ts';
import type { Policy } from './policy.ts';

/** Larger changes deserve a person's look; the figures are the specification's. */
const MAX_CHANGED_LINES = 100;
const MAX_CHANGED_FILES = 2;

const SAFE_LABELS = ['bug', 'fix', 'docs', 'config', 'skill', 'chore'];
const UNSAFE_LABELS = ['feature', 'breaking', 'security', 'infra'];

/** Static checks prove that it compiles, not that it works; a suite without a name proves nothing. */
const STATIC_SUITES = new Set(['', 'lint', 'typecheck', 'types', 'format']);

const INFRASTRUCTURE: readonly RegExp[] = [
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
  /** Names of dependencies that manifests gained; `unknown` where a manifest could not be read. */
  readonly addedDependencies: readonly string[] | 'unknown';
  readonly testSuites: readonly string[];
  readonly labels: ReadonlySet<string>;
}

/** `not_allowed` where the operator or the repository does not want it at all. */
export function autoMergeVerdict(
  candidate: MergeCandidate,
  policy: Policy,
): 'pass' | 'fail' | 'unknown' | 'not_allowed' {
  if (!policy.autoMergeAllowed || policy.approvals.merge === 'required') return 'not_allowed';
  return gateVerdict(autoMergeGate(candidate));
}

export function autoMergeGate(candidate: MergeCandidate): Condition[] {
  const lines = candidate.additions + candidate.deletions;
  const files = candidate.changedFiles.length;
  const infrastructure = candidate.changedFiles.filter((path) =>
    INFRASTRUCTURE.some((form) => form.test(path)),
  );
  const suites = candidate.testSuites.filter((suite) => !isStatic(suite));
  const asked = candidate.labels.has('user-input-needed');
  return [
    condition('not_draft', !candidate.draft, `draft=${candidate.draft}`),
    condition('no_open_question', !asked, `user-input-needed=${asked}`),
    condition('tested_beyond_static', suites.length > 0, `suites=${listed(suites)}`),
    condition(
      'small',
      lines <= MAX_CHANGED_LINES && files <= MAX_CHANGED_FILES,
      `lines=${lines}/${MAX_CHANGED_LINES}, files=${files}/${MAX_CHANGED_FILES}`,
    ),
    noDependencyAdded(candidate.addedDependencies),
    condition('no_infrastructure', infrastructure.length === 0, `infrastructure=${listed(infrastructure)}`),
    safeKind(candidate.labels),
  ];
}

/** `type-check`, `Type check` and `typecheck` are the same. */
function isStatic(suite: string): boolean {
  return STATIC_SUITES.has(suite.toLowerCase().replace(/[\s_-]+/g, ''));
}

function noDependencyAdded(added: MergeCandidate['addedDependencies']): Condition {
  if (added === 'unknown') return condition('no_dependency_added', 'unknown', 'dependencies=unknown');
  return condition('no_dependency_added', added.length === 0, `dependencies=${listed(added)}`);
}

function safeKind(labels: ReadonlySet<string>): Condition {
  const lower = new Set([...labels].map((label) => label.trim().toLowerCase()));
  const safe = SAFE_LABELS.filter((label) => lower.has(label));
  const unsafe = UNSAFE_LABELS.filter((label) => lower.has(label));
  return condition('safe_kind', safe.length > 0 && unsafe.length === 0, describeKind(safe, unsafe));
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(' ');
}

function describeKind(safe: readonly string[], unsafe: readonly string[]): string {
  if (unsafe.length > 0) return `labels that need a person: ${unsafe.join(', ')}`;
  if (safe.length > 0) return `safe labels: ${safe.join(', ')}`;
  return `none of the labels ${SAFE_LABELS.join(', ')}`;
}
