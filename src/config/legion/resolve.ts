/** Flags, file, environment and defaults as one configuration, with the source of each value. */
import { validate as isUuid } from 'uuid';
import type { z } from 'zod';
import { failed, ok, type Result } from '../../core/model/fault.ts';
import { ambiguousColumns, type ColumnNames, STATUSES } from '../../core/model/status.ts';
import type { Environment } from '../../domain/environment.ts';
import { MODES } from '../../domain/mode.ts';
import { found } from '../found.ts';
import { type Checked, faultOf, type Problem } from '../problem.ts';
import { check } from '../schema/check.ts';
import { keysOf } from '../schema/section.ts';
import { settle, type Values, valuesIn } from '../schema/settle.ts';
import { UNSUPPORTED_LEGION_KEYS } from '../unsupported-keys.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { PROJECT } from './board.ts';
import { givenByEnvironment } from './environment.ts';
import { type Given, readGiven } from './given.ts';
import { LEGION_DEFAULTS, type LegionConfig, legionSchema } from './schema.ts';
import type { Source, Sources } from './source.ts';
import { sourceText } from './source.ts';

export interface Inputs {
  readonly flags: readonly Given[];
  readonly file: { readonly path: string; readonly text: string } | undefined;
  readonly environment: Environment;
}

export interface Resolved {
  readonly config: LegionConfig;
  readonly sources: Sources;
}

/** Every value that was given is checked, also one that a stronger source overrides: it may be the only one tomorrow. */
export function resolveConfig({ flags, file, environment }: Inputs): Result<Resolved> {
  const flagLayer = layer(readGiven(flags, 'usage.invalid'), (key) => ({
    from: 'flag',
    name: nameIn(flags, key),
  }));
  const fileLayer = file === undefined ? NOTHING : readFile(file);
  const stronger = [flagLayer, fileLayer].map(({ values }) => values);
  const given = givenByEnvironment(environment, {
    legion: stronger.some((values) => values.has('legion')),
    backend: stronger.map((values) => values.get('backend')?.value).find((value) => value !== undefined),
  });
  const environmentLayer = layer(readGiven(given, 'config.environment'), (key) => ({
    from: 'environment',
    name: nameIn(given, key),
  }));

  const layers = [flagLayer, fileLayer, environmentLayer];
  const problems = layers.flatMap((each) => each.problems);
  if (problems.length > 0) return failed(faultOf(problems));
  const resolved = merged([...layers, DEFAULTS]);
  const conflicts = inconsistencies(resolved.config, resolved.sources);
  return conflicts.length > 0 ? failed(faultOf(conflicts)) : ok(resolved);
}

/** What one source says. */
interface Layer {
  readonly values: Values;
  readonly sourceOf: (key: string, path: readonly string[]) => Source;
  readonly problems: readonly Problem[];
}

function layer(checked: Checked<Values>, sourceOf: Layer['sourceOf']): Layer {
  return checked.ok
    ? { values: checked.value, sourceOf, problems: [] }
    : { values: new Map(), sourceOf, problems: checked.problems };
}

const NOTHING = layer({ ok: true, value: new Map() }, () => ({ from: 'default' }));
const DEFAULTS = layer({ ok: true, value: valuesIn(legionSchema, LEGION_DEFAULTS) }, () => ({
  from: 'default',
}));

function readFile({ path, text }: { path: string; text: string }): Layer {
  const yaml = readYaml(text, path);
  if (!yaml.ok) return layer(yaml, () => ({ from: 'default' }));
  const file = yaml.value;
  const checked: Checked<z.output<typeof legionSchema>> = check(legionSchema, file, UNSUPPORTED_LEGION_KEYS);
  return layer(
    checked.ok ? { ok: true, value: valuesIn(legionSchema, checked.value) } : checked,
    (_, keys) => ({ from: 'file', path, ...file.keyPlace(keys) }),
  );
}

function merged(layers: readonly Layer[]): Resolved {
  const values = new Map<string, { path: readonly string[]; value: unknown }>();
  const sources = new Map<string, Source>();
  for (const { key } of keysOf(legionSchema)) if (!/[<[]/.test(key)) sources.set(key, { from: 'default' });
  for (const { values: own, sourceOf } of layers.toReversed()) {
    for (const [key, { path, value }] of own) {
      values.set(key, { path, value });
      sources.set(key, sourceOf(key, path));
    }
  }
  // A board on GitHub has its code there as well, unless somebody says otherwise.
  const forge = values.get('backend')?.value === 'github' ? 'github' : 'local';
  if (!values.has('forge')) values.set('forge', { path: ['forge'], value: forge });
  return { config: settle(LEGION_DEFAULTS, values) as LegionConfig, sources };
}

function nameIn(given: readonly Given[], key: string): string {
  return given.findLast((each) => each.key === key)?.name ?? key;
}

/** What no single key can get wrong: values that do not go together. */
function inconsistencies(config: LegionConfig, sources: Sources): readonly Problem[] {
  const where = (key: string) => sourceText(sources.get(key) ?? { from: 'default' });
  const problems: Problem[] = [];

  const form = LEGION_FORMS[config.backend];
  if (!form.fits(config.legion)) {
    const why = `because backend is ${config.backend} (${where('backend')})`;
    const isNamed = sources.get('legion')?.from !== 'default';
    const got = isNamed ? `got ${found(config.legion)}` : 'but it is missing';
    const says = `legion: expected ${form.allowed} ${why}, ${got}`;
    problems.push({ code: 'config.invalid', where: where(isNamed ? 'legion' : 'backend'), says });
  }
  for (const column of ambiguousColumns(config.statuses as ColumnNames)) {
    const [first, ...others] = claimants(column, config);
    const key = `statuses.${others.at(-1) ?? first}`;
    const says = `${key}: the column ${found(column)} already belongs to ${first}`;
    problems.push({ code: 'config.columns_ambiguous', where: where(key), says });
  }
  problems.push(...githubProblems(config, where), ...scriptedProblems(config, where));
  const { api_key, access_token } = config.credentials.linear;
  if (api_key !== undefined && access_token !== undefined) {
    const says =
      'credentials.linear.access_token: expected this or credentials.linear.api_key, but both are there';
    problems.push({ code: 'config.invalid', where: where('credentials.linear.access_token'), says });
  }
  return problems;
}

/** The scripted agent does no real work, so one line alone, perhaps copied from somewhere, does not start it. */
function scriptedProblems(config: LegionConfig, where: (key: string) => string): readonly Problem[] {
  if (config.scripted === 'allowed') return [];
  return (['default', ...MODES] as const).flatMap((mode) => {
    const { agent, fallback } = config.agents[mode] ?? {};
    const keys = [
      ...(agent === 'scripted' ? [`agents.${mode}.agent`] : []),
      ...(fallback?.agent === 'scripted' ? [`agents.${mode}.fallback.agent`] : []),
    ];
    return keys.map((key) => ({
      code: 'agent.scripted_not_allowed' as const,
      where: where(key),
      says: `${key}: the scripted agent does no real work and needs the line \`scripted: allowed\` besides; expected claude-code, opencode or codex without it`,
    }));
  });
}

/** An App is a number and a key; one without the other is a slip. */
function githubProblems(config: LegionConfig, where: (key: string) => string): readonly Problem[] {
  const { github } = config.credentials;
  const identities = { '': github, 'impl.': github.impl ?? {}, 'review.': github.review ?? {} };
  return Object.entries(identities).flatMap(([at, { app_id, private_key }]) => {
    if ((app_id === undefined) === (private_key === undefined)) return [];
    const [there, missing] = app_id === undefined ? ['private_key', 'app_id'] : ['app_id', 'private_key'];
    const key = `credentials.github.${at}${there}`;
    const says = `${key}: expected credentials.github.${at}${missing} beside it, but that is missing`;
    return [{ code: 'config.invalid' as const, where: where(key), says }];
  });
}

const LEGION_FORMS: Readonly<
  Record<LegionConfig['backend'], { allowed: string; fits(id: string): boolean }>
> = {
  local: { allowed: 'a name', fits: (id) => !id.includes('/') },
  github: { allowed: 'a GitHub owner/project-number', fits: (id) => PROJECT.test(id) },
  linear: { allowed: 'the UUID of a Linear team', fits: isUuid },
};

/** The statuses that claim a column, in the order of the pipeline. */
function claimants(column: string, { statuses }: LegionConfig): readonly string[] {
  const plain = (name: string) => name.trim().toLowerCase();
  return STATUSES.filter(
    (status) => statuses[status]?.some((name) => plain(name) === plain(column)) === true,
  );
}
