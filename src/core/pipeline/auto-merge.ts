/**
 * The auto-merge gate: conditions for merging a small, safe, well-tested change without a person.
 */

import { isRetroPath } from '../model/evidence.ts';
import type { ChangedFile } from '../model/pull-request.ts';
import { findAddedDependencies, isManifest } from './dependencies.ts';
import type { PipelinePolicy } from './policy.ts';
import { createGateCondition, type GateCondition, judgeGate } from './pre-merge.ts';

/** Larger changes need a person's review. The specification sets these limits. */
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
  /**
   * The changed files in detail. `unknown` if they could not be read now; absent if they were not
   * read in this status.
   */
  readonly diff?: readonly ChangedFile[] | 'unknown' | undefined;
  readonly testSuites: readonly string[];
  readonly labels: ReadonlySet<string>;
}

/** Returns `not_allowed` if the operator or the repository has disabled auto-merge. */
export function judgeAutoMerge(
  candidate: MergeCandidate,
  policy: PipelinePolicy,
): 'pass' | 'fail' | 'unknown' | 'not_allowed' {
  if (!policy.autoMergeAllowed || policy.approvals.merge === 'required') return 'not_allowed';
  return judgeGate(checkAutoMergeGate(candidate, policy));
}

export function checkAutoMergeGate(
  candidate: MergeCandidate,
  { retroPaths }: Pick<PipelinePolicy, 'retroPaths'>,
): GateCondition[] {
  const infrastructure = candidate.changedFiles.filter((path) =>
    INFRASTRUCTURE_PATHS.some((pattern) => pattern.test(path)),
  );
  const suites = candidate.testSuites.filter((suite) => !isStaticSuite(suite));
  const hasQuestion = candidate.labels.has('user-input-needed');
  return [
    createGateCondition('not_draft', !candidate.draft, `draft=${candidate.draft}`),
    createGateCondition('no_open_question', !hasQuestion, `user-input-needed=${hasQuestion}`),
    createGateCondition('tested_beyond_static', suites.length > 0, `suites=${formatNames(suites)}`),
    checkSize(candidate, retroPaths),
    checkAddedDependencies(candidate),
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

/**
 * Pages that the retro writes do not count, because every issue has one. The size of a binary file
 * cannot be judged, so it is never small.
 */
function checkSize(candidate: MergeCandidate, retroPaths: readonly string[]): GateCondition {
  const { additions, deletions, changedFiles, diff } = candidate;
  if (diff === 'unknown') return createGateCondition('small', 'unknown', 'diff=unknown');
  const isCounted = (path: string) => !isRetroPath(path, retroPaths);
  const files = changedFiles.filter(isCounted).length;
  const counted = diff?.filter(({ path }) => isCounted(path));
  const binary = counted?.filter((file) => file.lines === 'binary').map(({ path }) => path) ?? [];
  const lines = counted === undefined ? additions + deletions : sumLines(counted);
  const ignored = changedFiles.length - files;
  const evidence = [
    `lines=${lines}/${MAX_CHANGED_LINES}`,
    `files=${files}/${MAX_CHANGED_FILES}`,
    ...(ignored === 0 ? [] : [`retro files not counted=${ignored}`]),
    ...(binary.length === 0 ? [] : [`binary=${formatNames(binary)}`]),
  ];
  const isSmall = lines <= MAX_CHANGED_LINES && files <= MAX_CHANGED_FILES && binary.length === 0;
  return createGateCondition('small', isSmall, evidence.join(', '));
}

function sumLines(files: readonly ChangedFile[]): number {
  return files.reduce((sum, { lines }) => sum + (lines === 'binary' ? 0 : lines), 0);
}

/**
 * A manifest that cannot be read or parsed fails the condition, because reading it again would not
 * help.
 */
function checkAddedDependencies({ changedFiles, diff }: MergeCandidate): GateCondition {
  const name = 'no_dependency_added';
  if (!changedFiles.some(isManifest)) return createGateCondition(name, 'pass', 'dependencies=none');
  if (diff === undefined || diff === 'unknown')
    return createGateCondition(name, 'unknown', 'dependencies=unknown');
  const added: string[] = [];
  const unreadable: string[] = [];
  for (const { path, text } of diff) {
    if (!isManifest(path)) continue;
    if (text === undefined || 'unreadable' in text) {
      unreadable.push(`${path}: ${text?.unreadable ?? 'its text was not read'}`);
      continue;
    }
    const found = findAddedDependencies(path, text.before, text.after);
    if (found === 'unknown') unreadable.push(`${path}: it cannot be parsed`);
    else added.push(...found);
  }
  if (unreadable.length > 0)
    return createGateCondition(name, 'fail', `unreadable manifest ${unreadable.join(', ')}`);
  return createGateCondition(name, added.length === 0, `dependencies=${formatNames(added)}`);
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
