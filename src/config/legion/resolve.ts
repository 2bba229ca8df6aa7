/** Flags, file, environment and defaults as one configuration, with the source of each value. */
import type { z } from 'zod';
import type { Environment } from '../../domain/environment.ts';
import { failed, ok, type Result } from '../../domain/fault.ts';
import { type Checked, faultOf, type Problem } from '../problem.ts';
import { check } from '../schema/check.ts';
import { keysOf } from '../schema/section.ts';
import { settle, type Values, valuesIn } from '../schema/settle.ts';
import { UNSUPPORTED_LEGION_KEYS } from '../unsupported-keys.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { inconsistencies } from './consistent.ts';
import { givenByEnvironment } from './environment.ts';
import { type Given, readGiven } from './given.ts';
import { LEGION_DEFAULTS, type LegionConfig, legionSchema } from './schema.ts';
import type { Source, Sources } from './source.ts';

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
