/** What a skill may name: everything that really exists, from the tables the product itself uses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliCommand, CommandGroup } from '../../src/cli/command.ts';
import { AGENT_NAMES } from '../../src/cli/commands/skills/agent-homes.ts';
import { shippedSkills } from '../../src/cli/commands/skills/shipped.ts';
import { COMMANDS } from '../../src/cli/program/command-table.ts';
import { givenByEnvironment } from '../../src/config/legion/environment.ts';
import { legionSchema } from '../../src/config/legion/schema.ts';
import { repositorySchema } from '../../src/config/repository/schema.ts';
import { keysOf } from '../../src/config/schema/section.ts';
import { ACTIONS } from '../../src/core/model/action.ts';
import { CATALOGUE } from '../../src/core/model/fault.ts';
import type { Signals } from '../../src/core/model/signals.ts';
import { STATUSES } from '../../src/core/model/status.ts';
import { DEFAULT_POLICY } from '../../src/core/pipeline/policy.ts';
import { LABELS, PULL_REQUEST_LABELS } from '../../src/domain/label.ts';
import { LIFECYCLE_STATES } from '../../src/domain/lifecycle.ts';
import { ROUTES } from '../../src/http/routes/table.ts';
import { preMergeGate } from '../../src/pipeline/gates/pre-merge.ts';
import { VERB_NAMES, VERBS } from '../../src/protocol/verb.ts';
import { readWorkerEnvironment } from '../../src/protocol/worker-environment.ts';

const CONFIG_KEYS = [...keysOf(legionSchema), ...keysOf(repositorySchema)].map(({ key }) => key);

/** Those of `legion --help`: what is for programs is not for skills. */
const SHOWN = Object.entries(COMMANDS).filter(([, { hidden }]) => hidden !== true);
const LOADED = await Promise.all(SHOWN.map(async ([name, { load }]) => [name, await load()] as const));
export const commands: ReadonlyMap<string, CliCommand | CommandGroup> = new Map(LOADED);

export const statuses: ReadonlySet<string> = new Set(STATUSES);
export const routes: ReadonlySet<string> = new Set(
  ROUTES.map(({ endpoint: { method, path } }) => `${method} ${path}`),
);

/** Names with a hyphen: labels first of all, and whatever else of ours has such a name. */
export const hyphened: ReadonlySet<string> = new Set([
  ...[...LABELS, ...PULL_REQUEST_LABELS, ...LIFECYCLE_STATES, ...AGENT_NAMES],
  ...LOADED.flatMap(([name, node]) => [name, ...Object.keys('members' in node ? node.members : {})]),
  ...shippedSkills().map(({ name }) => name),
  ...VERBS.review.input.shape.verdict.options,
]);

/** Names with an underscore: verbs as tools, actions, keys of the configuration, conditions of the merge. */
export const underscored: ReadonlySet<string> = new Set([
  ...[...VERB_NAMES, ...ACTIONS, ...CONFIG_KEYS],
  ...mergeConditions(),
]);

/** Names with a dot: keys of the configuration and codes of faults. */
export const dotted: ReadonlySet<string> = new Set([...CONFIG_KEYS, ...Object.keys(CATALOGUE)]);

export function isActionPrefix(text: string): boolean {
  return ACTIONS.some((action) => action.startsWith(text));
}

export function isVariable(name: string): boolean {
  const given = givenByEnvironment({ [name]: 'x' }, { legion: false, backend: 'linear' });
  return given.length > 0 || WORKER_VARIABLES.has(name);
}

/** A decoded environment has the keys of its schema and no other. */
const WORKER_VARIABLES: ReadonlySet<string> = new Set(
  Object.keys(
    workerEnvironment({
      ...{ LEGION_WORKER: 'shop-1-test', LEGION_ISSUE: 'SHOP-1', LEGION_MODE: 'test', LEGION_PHASE: 'test' },
      ...{ LEGION_PURPOSE: 'start', LEGION_ATTEMPT: '1', LEGION_WORKER_TOKEN: 'x' },
      ...{ LEGION_STATE: '/state', LEGION_OUTBOX: '/outbox', LEGION_NO_SUCH_THING: 'x' },
    }),
  ),
);

function workerEnvironment(sample: Record<string, string>): object {
  const read = readWorkerEnvironment(sample);
  if (!read.ok) throw new Error(read.fault.message);
  return read.value;
}

/** Those of the gate, and those that are asked for beside it, which only their source names. */
function mergeConditions(): readonly string[] {
  const signals = { pullRequest: 'none' } as Signals; // without one, nothing else is looked at
  const source = join(import.meta.dirname, '../../src/daemon/merging/check-merge.ts');
  const beside = readFileSync(source, 'utf8').matchAll(/condition\('(\w+)'/g);
  return [
    ...preMergeGate(signals, DEFAULT_POLICY).map(({ name }) => name),
    ...[...beside].map(([, name = '']) => name),
  ];
}
