/**
 * Merges flags, file, environment and defaults into one configuration, with the source of each
 * value, and reads `legion.yaml` from disk.
 */
import { validate as isUuid } from 'uuid';
import { isMap, isScalar, parseDocument } from 'yaml';
import type { z } from 'zod';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { fail, ok, type Result } from '../../core/model/fault.ts';
import { readLegionId } from '../../core/model/ids.ts';
import { MODES } from '../../core/model/mode.ts';
import { type ColumnNames, findAmbiguousColumns, STATUSES } from '../../core/model/status.ts';
import {
  type ConfigCheck,
  type ConfigProblem,
  describeConfigValue,
  toConfigFault,
  UNSUPPORTED_LEGION_KEYS,
} from '../problem.ts';
import { readYaml } from '../read-yaml.ts';
import { checkYaml } from '../schema/check.ts';
import { applyValues, type ConfigValues, collectConfigValues, listKeys } from '../schema/section.ts';
import { readTextFile } from '../text-file.ts';
import {
  LEGION_DEFAULTS,
  type LegionConfig,
  legionSchema,
  MAX_LEGION_FILE_BYTES,
  PROJECT_PATTERN,
} from './schema.ts';
import {
  type ConfigSource,
  type ConfigSources,
  formatSource,
  parseSettings,
  type RawSetting,
  readEnvironmentSettings,
} from './settings.ts';

export interface ConfigInputs {
  readonly flags: readonly RawSetting[];
  readonly file: { readonly path: string; readonly text: string } | undefined;
  readonly environment: EnvironmentVariables;
}

export interface ResolvedConfig {
  readonly config: LegionConfig;
  readonly sources: ConfigSources;
}

/** Also checks values that a stronger source overrides, because they may take effect later. */
export function resolveConfig({ flags, file, environment }: ConfigInputs): Result<ResolvedConfig> {
  const flagLayer = createLayer(parseSettings(flags, 'usage.invalid'), (key) => ({
    from: 'flag',
    name: findSettingName(flags, key),
  }));
  const fileLayer = file === undefined ? EMPTY_LAYER : readFileLayer(file);
  const stronger = [flagLayer, fileLayer].map(({ values }) => values);
  const settings = readEnvironmentSettings(environment, {
    legion: stronger.some((values) => values.has('legion')),
    backend: stronger.map((values) => values.get('backend')?.value).find((value) => value !== undefined),
  });
  const environmentLayer = createLayer(parseSettings(settings, 'config.environment'), (key) => ({
    from: 'environment',
    name: findSettingName(settings, key),
  }));

  const layers = [flagLayer, fileLayer, environmentLayer];
  const problems = layers.flatMap((each) => each.problems);
  if (problems.length > 0) return fail(toConfigFault(problems));
  const resolved = mergeLayers([...layers, DEFAULT_LAYER]);
  const conflicts = findInconsistencies(resolved.config, resolved.sources);
  return conflicts.length > 0 ? fail(toConfigFault(conflicts)) : ok(resolved);
}

/** Values and problems of one source. */
interface ConfigLayer {
  readonly values: ConfigValues;
  readonly getSource: (key: string, path: readonly string[]) => ConfigSource;
  readonly problems: readonly ConfigProblem[];
}

function createLayer(checked: ConfigCheck<ConfigValues>, getSource: ConfigLayer['getSource']): ConfigLayer {
  return checked.ok
    ? { values: checked.value, getSource, problems: [] }
    : { values: new Map(), getSource, problems: checked.problems };
}

const EMPTY_LAYER = createLayer({ ok: true, value: new Map() }, () => ({ from: 'default' }));
const DEFAULT_LAYER = createLayer(
  { ok: true, value: collectConfigValues(legionSchema, LEGION_DEFAULTS) },
  () => ({
    from: 'default',
  }),
);

function readFileLayer({ path, text }: { path: string; text: string }): ConfigLayer {
  const yaml = readYaml(text, path);
  if (!yaml.ok) return createLayer(yaml, () => ({ from: 'default' }));
  const file = yaml.value;
  const checked: ConfigCheck<z.output<typeof legionSchema>> = checkYaml(
    legionSchema,
    file,
    UNSUPPORTED_LEGION_KEYS,
  );
  return createLayer(
    checked.ok ? { ok: true, value: collectConfigValues(legionSchema, checked.value) } : checked,
    (_, keys) => ({ from: 'file', path, ...file.getKeyPosition(keys) }),
  );
}

function mergeLayers(layers: readonly ConfigLayer[]): ResolvedConfig {
  const values = new Map<string, { path: readonly string[]; value: unknown }>();
  const sources = new Map<string, ConfigSource>();
  for (const { key } of listKeys(legionSchema)) if (!/[<[]/.test(key)) sources.set(key, { from: 'default' });
  for (const { values: own, getSource } of layers.toReversed()) {
    for (const [key, { path, value }] of own) {
      values.set(key, { path, value });
      sources.set(key, getSource(key, path));
    }
  }
  // A GitHub board implies GitHub as the forge unless another is set.
  const forge = values.get('backend')?.value === 'github' ? 'github' : 'local';
  if (!values.has('forge')) values.set('forge', { path: ['forge'], value: forge });
  return { config: applyValues(LEGION_DEFAULTS, values) as LegionConfig, sources };
}

function findSettingName(settings: readonly RawSetting[], key: string): string {
  return settings.findLast((each) => each.key === key)?.name ?? key;
}

/** Finds values that are valid on their own but not together. */
function findInconsistencies(config: LegionConfig, sources: ConfigSources): readonly ConfigProblem[] {
  const locate = (key: string) => formatSource(sources.get(key) ?? { from: 'default' });
  const problems: ConfigProblem[] = [];

  const form = LEGION_FORMS[config.backend];
  if (!form.fits(config.legion)) {
    const why = `because backend is ${config.backend} (${locate('backend')})`;
    const isNamed = sources.get('legion')?.from !== 'default';
    const actual = isNamed ? `got ${describeConfigValue(config.legion)}` : 'but it is missing';
    const message = `legion: expected ${form.allowed} ${why}, ${actual}`;
    problems.push({ code: 'config.invalid', where: locate(isNamed ? 'legion' : 'backend'), message });
  }
  for (const column of findAmbiguousColumns(config.statuses as ColumnNames)) {
    const [first, ...others] = listClaimants(column, config);
    const key = `statuses.${others.at(-1) ?? first}`;
    const message = `${key}: the column ${describeConfigValue(column)} already belongs to ${first}`;
    problems.push({ code: 'config.columns_ambiguous', where: locate(key), message });
  }
  problems.push(...findGithubProblems(config, locate), ...findScriptedProblems(config, locate));
  const { api_key, access_token } = config.credentials.linear;
  if (api_key !== undefined && access_token !== undefined) {
    const message =
      'credentials.linear.access_token: expected this or credentials.linear.api_key, but both are set';
    problems.push({ code: 'config.invalid', where: locate('credentials.linear.access_token'), message });
  }
  return problems;
}

/**
 * The scripted agent does no real work, so a single line, perhaps copied from elsewhere, must not
 * enable it.
 */
function findScriptedProblems(
  config: LegionConfig,
  locate: (key: string) => string,
): readonly ConfigProblem[] {
  if (config.scripted === 'allowed') return [];
  return (['default', ...MODES] as const).flatMap((mode) => {
    const { agent, fallback } = config.agents[mode] ?? {};
    const keys = [
      ...(agent === 'scripted' ? [`agents.${mode}.agent`] : []),
      ...(fallback?.agent === 'scripted' ? [`agents.${mode}.fallback.agent`] : []),
    ];
    return keys.map((key) => ({
      code: 'agent.scripted_not_allowed' as const,
      where: locate(key),
      message: `${key}: the scripted agent does no real work; expected claude-code, opencode or codex, or the line \`scripted: allowed\` as well`,
    }));
  });
}

/** An App needs both an id and a key. */
function findGithubProblems(config: LegionConfig, locate: (key: string) => string): readonly ConfigProblem[] {
  const { github } = config.credentials;
  const identities = { '': github, 'impl.': github.impl ?? {}, 'review.': github.review ?? {} };
  return Object.entries(identities).flatMap(([at, { app_id, private_key }]) => {
    if ((app_id === undefined) === (private_key === undefined)) return [];
    const [present, missing] = app_id === undefined ? ['private_key', 'app_id'] : ['app_id', 'private_key'];
    const key = `credentials.github.${at}${present}`;
    const message = `${key}: expected credentials.github.${at}${missing} as well, but it is missing`;
    return [{ code: 'config.invalid' as const, where: locate(key), message }];
  });
}

const LEGION_FORMS: Readonly<
  Record<LegionConfig['backend'], { allowed: string; fits(id: string): boolean }>
> = {
  local: { allowed: 'a name', fits: (id) => !id.includes('/') },
  github: { allowed: 'a GitHub owner/project-number', fits: (id) => PROJECT_PATTERN.test(id) },
  linear: { allowed: 'the UUID of a Linear team', fits: isUuid },
};

/** Returns the statuses to which a column is assigned, in pipeline order. */
function listClaimants(column: string, { statuses }: LegionConfig): readonly string[] {
  const normalize = (name: string) => name.trim().toLowerCase();
  return STATUSES.filter(
    (status) => statuses[status]?.some((name) => normalize(name) === normalize(column)) === true,
  );
}

export interface LegionFile {
  readonly path: string;
  /**
   * Whether the user specified this file. Such a file must exist; the default file may be missing.
   */
  readonly named: boolean;
}

/** Reads `legion.yaml` from disk and resolves it. */
export function loadConfig(file: LegionFile, inputs: Omit<ConfigInputs, 'file'>): Result<ResolvedConfig> {
  const text = readLegionFile(file.path);
  if (text.ok) return resolveConfig({ ...inputs, file: { path: file.path, text: text.value } });
  if (text.fault.code !== 'config.missing' || file.named) return fail(text.fault);
  return resolveConfig({ ...inputs, file: undefined });
}

export function readLegionFile(path: string): Result<string> {
  return readTextFile(path, MAX_LEGION_FILE_BYTES, 'links');
}

/**
 * Reads the name of a legion from a `legion.yaml` that may be invalid everywhere else. Returns
 * undefined if the file contains no name or several names, because a guess could stop the wrong
 * workers.
 */
export function readLegionName(text: string): string | undefined {
  // The parser reports syntax errors instead of throwing, and keeps everything it could read.
  const { contents } = parseDocument(text, { schema: 'core', logLevel: 'silent', uniqueKeys: false });
  if (!isMap(contents)) return undefined;
  const named = contents.items.filter(({ key }) => isScalar(key) && key.value === 'legion');
  const [legion, ...others] = named.map(({ value }) => (isScalar(value) ? value.value : undefined));
  return typeof legion === 'string' && others.length === 0 && readLegionId(legion).ok ? legion : undefined;
}
