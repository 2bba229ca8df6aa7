import { describe, expect, test } from 'vitest';
import type { ChangedFile } from '../../../../src/core/model/pull-request.ts';
import {
  checkAutoMergeGate,
  judgeAutoMerge,
  type MergeCandidate,
} from '../../../../src/core/pipeline/auto-merge.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../../../../src/core/pipeline/policy.ts';

const NO_SAFE_LABEL = 'none of the labels bug, fix, docs, config, skill, chore';

const ALLOWED: PipelinePolicy = { ...DEFAULT_POLICY, autoMergeAllowed: true };

/** A pull request just within every auto-merge limit. */
const SAFE: MergeCandidate = {
  draft: false,
  additions: 60,
  deletions: 40,
  changedFiles: ['src/a.ts', 'test/a.test.ts'],
  testSuites: ['unit'],
  labels: new Set(['bug']),
};

const labels = (...names: string[]) => ({ labels: new Set(names) });
const files = (...changedFiles: string[]) => ({ changedFiles });
const diff = (...entries: ChangedFile[]) => ({
  changedFiles: entries.map(({ path }) => path),
  diff: entries,
});
const manifest = (before: string, after: string) =>
  diff({ path: 'package.json', lines: 1, text: { before, after } });

describe('an auto-merge condition', () => {
  test.each<[string, Partial<MergeCandidate>, 'pass' | 'fail' | 'unknown', string]>([
    ['not_draft', { draft: false }, 'pass', 'draft=false'],
    ['not_draft', { draft: true }, 'fail', 'draft=true'],
    ['no_open_question', labels('bug'), 'pass', 'user-input-needed=false'],
    ['no_open_question', labels('bug', 'user-input-needed'), 'fail', 'user-input-needed=true'],
    ['tested_beyond_static', { testSuites: ['lint', 'unit'] }, 'pass', 'suites=unit'],
    ['tested_beyond_static', { testSuites: ['e2e', 'unit'] }, 'pass', 'suites=e2e unit'],
    ['tested_beyond_static', { testSuites: ['Prüfung'] }, 'pass', 'suites=Prüfung'],
    ['tested_beyond_static', { testSuites: [] }, 'fail', 'suites=none'],
    ['tested_beyond_static', { testSuites: ['lint', 'typecheck'] }, 'fail', 'suites=none'],
    ['tested_beyond_static', { testSuites: [' Lint ', 'Type-Check', 'type check'] }, 'fail', 'suites=none'],
    ['tested_beyond_static', { testSuites: ['', '  '] }, 'fail', 'suites=none'],
    ['small', { additions: 100, deletions: 0 }, 'pass', 'lines=100/100, files=2/2'],
    ['small', { additions: 0, deletions: 100 }, 'pass', 'lines=100/100, files=2/2'],
    ['small', { additions: 60, deletions: 41 }, 'fail', 'lines=101/100, files=2/2'],
    ['small', { additions: 1, deletions: 100 }, 'fail', 'lines=101/100, files=2/2'],
    ['small', files('a', 'b', 'c'), 'fail', 'lines=100/100, files=3/2'],
    ['small', { additions: 0, deletions: 0, changedFiles: [] }, 'pass', 'lines=0/100, files=0/2'],
    ['small', { additions: 300, ...diff({ path: 'a', lines: 100 }) }, 'pass', 'lines=100/100, files=1/2'],
    [
      'small',
      diff({ path: 'a', lines: 1 }, { path: 'b', lines: 2 }, { path: 'docs/solutions/x.md', lines: 400 }),
      'pass',
      'lines=3/100, files=2/2, retro files not counted=1',
    ],
    [
      'small',
      { additions: 60, deletions: 40, ...files('a', 'b', 'docs/solutions/x.md') },
      'pass',
      'lines=100/100, files=2/2, retro files not counted=1',
    ],
    ['small', diff({ path: 'a', lines: 'binary' }), 'fail', 'lines=0/100, files=1/2, binary=a'],
    ['small', { diff: 'unknown' }, 'unknown', 'diff=unknown'],
    ['no_dependency_added', files('src/a.ts'), 'pass', 'dependencies=none'],
    ['no_dependency_added', manifest('{}', '{"scripts":{"a":"b"}}'), 'pass', 'dependencies=none'],
    [
      'no_dependency_added',
      manifest('{"dependencies":{"a":"1"}}', '{"dependencies":{"a":"2"}}'),
      'pass',
      'dependencies=none',
    ],
    [
      'no_dependency_added',
      manifest('{}', '{"dependencies":{"left-pad":"1"}}'),
      'fail',
      'dependencies=dependencies:left-pad',
    ],
    [
      'no_dependency_added',
      manifest('{}', '{'),
      'fail',
      'unreadable manifest package.json: it cannot be parsed',
    ],
    [
      'no_dependency_added',
      diff({ path: 'go.mod', lines: 1, text: { unreadable: 'it is too large' } }),
      'fail',
      'unreadable manifest go.mod: it is too large',
    ],
    ['no_dependency_added', files('package.json'), 'unknown', 'dependencies=unknown'],
    ['no_dependency_added', { ...files('package.json'), diff: 'unknown' }, 'unknown', 'dependencies=unknown'],
    ['safe_kind', labels('Docs'), 'pass', 'safe labels: docs'],
    ['safe_kind', labels(), 'fail', NO_SAFE_LABEL],
    ['safe_kind', labels('enhancement'), 'fail', NO_SAFE_LABEL],
    ['safe_kind', labels('bugfix', 'docs-only'), 'fail', NO_SAFE_LABEL],
    ['safe_kind', labels('bug', 'chore', ' Security '), 'fail', 'labels that need a person: security'],
  ])('%s, %j: %s (%s)', (name, change, verdict, evidence) => {
    expect(conditionOf(name, change)).toEqual({ name, verdict, evidence });
  });

  test.each(['bug', 'fix', 'docs', 'config', 'skill', 'chore'])(
    'safe_kind passes if %s is the only label',
    (label) => {
      expect(conditionOf('safe_kind', labels(label))?.verdict).toBe('pass');
    },
  );

  test.each(['feature', 'breaking', 'security', 'infra'])(
    'safe_kind fails with the label %s, whatever the other labels',
    (label) => {
      const all = labels('bug', 'fix', 'docs', 'config', 'skill', 'chore', label);
      expect(conditionOf('safe_kind', all)?.verdict).toBe('fail');
    },
  );
});

describe('the no_infrastructure condition', () => {
  test.each([
    'Dockerfile',
    'docker/Dockerfile.dev',
    'Dockerfile-prod',
    'api/prod.dockerfile',
    'Containerfile',
    'docker-compose.yml',
    'compose.yaml',
    'deploy/docker-compose.override.yml',
    '.github/workflows/ci.yml',
    '.github/actions/setup/action.yml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'Jenkinsfile',
    'azure-pipelines.yml',
    'main.tf',
    'main.tf.json',
    'env/prod.tfvars',
    '.terraform.lock.hcl',
    'terraform/readme.md',
    'Pulumi.yaml',
    'Pulumi.prod.yaml',
    'pulumi/index.ts',
  ])('fails for %s', (path) => {
    expect(conditionOf('no_infrastructure', files('src/a.ts', path))).toEqual({
      name: 'no_infrastructure',
      verdict: 'fail',
      evidence: `infrastructure=${path}`,
    });
  });

  test.each([
    'src/dockerfile-parser.ts',
    'src/dockerfileParser.ts',
    'docs/terraform.md',
    'src/compose.ts',
    '.github/CODEOWNERS',
    'src/pulumi.ts',
    'a.tfx',
  ])('passes for %s', (path) => {
    expect(conditionOf('no_infrastructure', files(path))?.verdict).toBe('pass');
  });
});

describe('the auto-merge verdict', () => {
  test.each<[string, Partial<MergeCandidate>, PipelinePolicy, string]>([
    ['is pass if every condition passes', {}, ALLOWED, 'pass'],
    ['is fail if one condition fails', { draft: true }, ALLOWED, 'fail'],
    ['is unknown if one condition is unknown and none fails', { diff: 'unknown' }, ALLOWED, 'unknown'],
    [
      'is fail if one condition fails and another is unknown',
      { diff: 'unknown', draft: true },
      ALLOWED,
      'fail',
    ],
    ['is not_allowed unless the repository allows it', {}, DEFAULT_POLICY, 'not_allowed'],
    [
      'is not_allowed if a person must approve',
      {},
      { ...ALLOWED, approvals: { architect: 'auto', merge: 'required' } },
      'not_allowed',
    ],
    [
      'is not_allowed even if conditions fail',
      { draft: true, diff: 'unknown' },
      DEFAULT_POLICY,
      'not_allowed',
    ],
  ])('%s', (_, change, policy, verdict) => {
    expect(judgeAutoMerge({ ...SAFE, ...change }, policy)).toBe(verdict);
  });
});

function conditionOf(name: string, change: Partial<MergeCandidate>) {
  return checkAutoMergeGate({ ...SAFE, ...change }, ALLOWED).find((condition) => condition.name === name);
}
