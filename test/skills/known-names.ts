/**
 * The names that a skill may use. They come from the product's own tables, so that all of them
 * really exist.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NAMES, readShippedSkills } from '../../src/cli/commands/setup/skills/shipped.ts';
import { COMMANDS } from '../../src/cli/program/command-table.ts';
import type { CliCommand, CommandGroup } from '../../src/cli/program/define-command.ts';
import { legionSchema } from '../../src/config/legion/schema.ts';
import { readEnvironmentSettings } from '../../src/config/legion/settings.ts';
import { repositorySchema } from '../../src/config/repository/schema.ts';
import { listKeys } from '../../src/config/schema/section.ts';
import { ACTIONS } from '../../src/core/model/action.ts';
import { CATALOGUE } from '../../src/core/model/fault.ts';
import { LABELS, PULL_REQUEST_LABELS } from '../../src/core/model/label.ts';
import { LIFECYCLE_STATES } from '../../src/core/model/lifecycle.ts';
import type { IssueSignals } from '../../src/core/model/signals.ts';
import { STATUSES } from '../../src/core/model/status.ts';
import { DEFAULT_POLICY } from '../../src/core/pipeline/policy.ts';
import { checkPreMergeGate } from '../../src/core/pipeline/pre-merge.ts';
import { ROUTES } from '../../src/http/routes/table.ts';
import { VERB_NAMES, VERBS } from '../../src/protocol/verb.ts';
import { readWorkerEnvironment } from '../../src/protocol/worker-environment.ts';

const CONFIG_KEYS = [...listKeys(legionSchema), ...listKeys(repositorySchema)].map(({ key }) => key);

/** Commands in `legion --help`. Hidden commands are for programs, not for skills. */
const SHOWN = Object.entries(COMMANDS).filter(([, { hidden }]) => hidden !== true);
const LOADED = await Promise.all(SHOWN.map(async ([name, { load }]) => [name, await load()] as const));
export const commands: ReadonlyMap<string, CliCommand | CommandGroup> = new Map(LOADED);

export const statuses: ReadonlySet<string> = new Set(STATUSES);
export const routes: ReadonlySet<string> = new Set(
  ROUTES.map(({ endpoint: { method, path } }) => `${method} ${path}`),
);

/** Names with a hyphen: labels, and all other names in Legion that contain one. */
export const hyphenatedNames: ReadonlySet<string> = new Set([
  ...[...LABELS, ...PULL_REQUEST_LABELS, ...LIFECYCLE_STATES, ...AGENT_NAMES],
  ...LOADED.flatMap(([name, node]) => [name, ...Object.keys('members' in node ? node.members : {})]),
  ...readShippedSkills().map(({ name }) => name),
  ...VERBS.review.input.shape.verdict.options,
]);

/**
 * Names with an underscore: tools (the worker verbs), actions, configuration keys, merge
 * conditions.
 */
export const underscoredNames: ReadonlySet<string> = new Set([
  ...[...VERB_NAMES, ...ACTIONS, ...CONFIG_KEYS],
  ...mergeConditions(),
]);

/** Names with a dot: configuration keys and fault codes. */
export const dottedNames: ReadonlySet<string> = new Set([...CONFIG_KEYS, ...Object.keys(CATALOGUE)]);

export function isActionPrefix(text: string): boolean {
  return ACTIONS.some((action) => action.startsWith(text));
}

export function isVariable(name: string): boolean {
  const given = readEnvironmentSettings({ [name]: 'x' }, { legion: false, backend: 'linear' });
  return given.length > 0 || WORKER_VARIABLES.has(name);
}

/**
 * Names of a worker's environment variables. They are read from a sample, because a decoded
 * environment has exactly the keys of its schema.
 */
const WORKER_VARIABLES: ReadonlySet<string> = new Set(
  Object.keys(
    workerEnvironment({
      LEGION_WORKER: 'shop-1-test',
      LEGION_ISSUE: 'SHOP-1',
      LEGION_MODE: 'test',
      LEGION_PHASE: 'test',
      LEGION_PURPOSE: 'start',
      LEGION_ATTEMPT: '1',
      LEGION_WORKER_TOKEN: 'x',
      LEGION_STATE: '/state',
      LEGION_OUTBOX: '/outbox',
      LEGION_NO_SUCH_THING: 'x',
    }),
  ),
);

function workerEnvironment(sample: Record<string, string>): object {
  const read = readWorkerEnvironment(sample);
  if (!read.ok) throw new Error(read.fault.message);
  return read.value;
}

/**
 * Returns the conditions of the merge gate, plus the additional conditions that are listed only in
 * the source code.
 */
function mergeConditions(): readonly string[] {
  const signals = { pullRequest: 'none' } as IssueSignals; // without a pull request, no other signal is read
  const source = join(import.meta.dirname, '../../src/daemon/merging/check-merge.ts');
  const beside = readFileSync(source, 'utf8').matchAll(/createGateCondition\(\s*'(\w+)'/g);
  return [
    ...checkPreMergeGate(signals, DEFAULT_POLICY).map(({ name }) => name),
    ...[...beside].map(([, name = '']) => name),
  ];
}
