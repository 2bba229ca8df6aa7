/**
 * Reads individual values that a command-line flag or an environment variable sets as text, and
 * describes the source of each.
 */

import type { EnvironmentVariables } from '../../core/model/environment.ts';
import type { FaultCode } from '../../core/model/fault.ts';
import { type ConfigCheck, type ConfigProblem, describeConfigValue } from '../problem.ts';
import { formatPosition, type YamlPosition } from '../read-yaml.ts';
import { describeAllowed, hasSecret } from '../schema/check.ts';
import type { LeafKind } from '../schema/leaf.ts';
import { type ConfigValues, findBranch } from '../schema/section.ts';
import { legionSchema } from './schema.ts';

export interface RawSetting {
  /** Key as in the file, such as `limits.workers`. */
  readonly key: string;
  /** Name at its source, such as `--workers` or `LEGION_WIP_LIMIT`. */
  readonly name: string;
  readonly text: string;
}

/**
 * `code` is the fault code for a bad value. It differs between the command line and the
 * environment.
 */
export function parseSettings(settings: readonly RawSetting[], code: FaultCode): ConfigCheck<ConfigValues> {
  const values = new Map<string, { path: readonly string[]; value: unknown }>();
  const problems: ConfigProblem[] = [];
  for (const { key, name, text } of settings) {
    const path = key.split('.');
    const branch = findBranch(legionSchema, path);
    const parsed =
      branch.kind === 'leaf' ? branch.schema.safeParse(parseSettingText(branch.leaf.kind, text)) : undefined;
    if (parsed?.success === true) values.set(key, { path, value: parsed.data });
    else {
      const message = `${key}: expected ${describeAllowed(branch)}, got ${describeConfigValue(text, hasSecret(branch))}`;
      problems.push({ code, where: name, message });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: values };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/**
 * Converts text to the value a file would have. Text that cannot be converted is left for the
 * schema to reject.
 */
function parseSettingText(kind: LeafKind, text: string): unknown {
  const trimmed = text.trim();
  switch (kind) {
    case 'boolean':
      return BOOLEANS.get(trimmed.toLowerCase()) ?? text;
    case 'number':
    case 'duration':
    case 'size':
      return /^-?\d{1,16}(?:\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : trimmed;
    case 'list':
      return trimmed.split(/[\s,]+/).filter((item) => item !== '');
    case 'text':
      return trimmed;
  }
}

const CONFIG_VARIABLES = [
  ['LEGION_ID', 'legion'],
  ['LEGION_SHORT_ID', 'short_id'],
  ['LEGION_ISSUE_BACKEND', 'backend'],
  ['LEGION_DAEMON_PORT', 'port'],
  ['LEGION_AUTO_ADVANCE', 'auto_advance'],
  ['LEGION_WIP_LIMIT', 'limits.workers'],
  ['LEGION_EXTRA_PROJECTS', 'extra_projects'],
] as const;

/**
 * Reads configuration values from environment variables. Ignores an empty variable, because shells
 * have no better way to unset one.
 */
export function readEnvironmentSettings(
  environment: EnvironmentVariables,
  otherSettings: { readonly legion: boolean; readonly backend: unknown },
): readonly RawSetting[] {
  const settings = CONFIG_VARIABLES.flatMap(([name, key]) => {
    const text = readVariable(environment, name);
    return text === undefined ? [] : [{ key, name, text }];
  });
  return [...settings, ...readLinearTeam(environment, otherSettings)];
}

/**
 * `LINEAR_TEAM_ID` is older than `LEGION_ID` and is set on many machines for other tools. It is
 * used as the legion's name only if no other source sets one, and only for Linear. It implies the
 * Linear backend if no backend is set.
 */
function readLinearTeam(
  environment: EnvironmentVariables,
  otherSettings: { readonly legion: boolean; readonly backend: unknown },
): readonly RawSetting[] {
  const name = 'LINEAR_TEAM_ID';
  const team = readVariable(environment, name);
  if (team === undefined || otherSettings.legion || readVariable(environment, 'LEGION_ID') !== undefined)
    return [];
  const backend = otherSettings.backend ?? readVariable(environment, 'LEGION_ISSUE_BACKEND');
  if (backend !== undefined && backend !== 'linear') return [];
  const legion: RawSetting = { key: 'legion', name, text: team };
  return backend === undefined ? [legion, { key: 'backend', name, text: 'linear' }] : [legion];
}

function readVariable(environment: EnvironmentVariables, name: string): string | undefined {
  const text = Object.hasOwn(environment, name) ? environment[name]?.trim() : undefined;
  return text === '' ? undefined : text;
}

export type ConfigSource =
  | { readonly from: 'flag'; readonly name: string }
  | ({ readonly from: 'file'; readonly path: string } & YamlPosition)
  | { readonly from: 'environment'; readonly name: string }
  | { readonly from: 'default' };

/**
 * Sources by key, such as `limits.workers`. Contains every key with a fixed name, even if its
 * default is defined elsewhere.
 */
export type ConfigSources = ReadonlyMap<string, ConfigSource>;

/** Describes the source of a value for `legion config check`, `doctor` and messages. */
export function formatSource(source: ConfigSource): string {
  switch (source.from) {
    case 'flag':
    case 'environment':
      return source.name;
    case 'file':
      return formatPosition(source.path, source);
    case 'default':
      return 'default';
  }
}
