/** Loads a scenario file, YAML or JSON, and reports the exact location of a mistake. */
import { constants, open } from 'node:fs/promises';
import type { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import {
  RULE_KEYS,
  ruleSchema,
  type Scenario,
  type ScenarioRule,
  type ScenarioStep,
  STEP_DEFINITIONS,
  STEP_NAMES,
  type StepName,
  scenarioSchema,
} from './scenario.ts';

/** In bytes. Scenarios are handwritten; a larger file is probably the wrong one. */
const MAX_SCENARIO_BYTES = 1_000_000;

/** Rejects with `scenario.unreadable` or `scenario.invalid`. */
export async function loadScenario(file: string): Promise<Scenario> {
  const text = await readScenarioText(file);
  return parseScenario(
    file.endsWith('.json') ? parseJsonScenario(text, file) : await parseYamlScenario(text, file),
    file,
  );
}

async function readScenarioText(file: string): Promise<string> {
  const createUnreadableError = (why: string, cause?: unknown) =>
    new LegionError('scenario.unreadable', `${file}: ${why}`, { cause });
  // Non-blocking, so that a named pipe is refused instead of waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw createUnreadableError(error instanceof Error ? error.message : String(error), error);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw createUnreadableError('is not a regular file');
    if (stats.size > MAX_SCENARIO_BYTES)
      throw createUnreadableError(`is larger than ${MAX_SCENARIO_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function parseJsonScenario(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('scenario.invalid', `${file}: not valid JSON: ${why}`, { cause: error });
  }
}

/** Loads the YAML library lazily, because loading it takes longer than playing a short turn. */
async function parseYamlScenario(text: string, file: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    schema: 'core',
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw new LegionError('scenario.invalid', `${file}:${line}:${col}: not valid YAML: ${error.message}`);
  }
  try {
    return document.toJS();
  } catch (failure) {
    // The file has too many aliases, or an alias without an anchor.
    const why = failure instanceof Error ? failure.message : String(failure);
    throw new LegionError('scenario.invalid', `${file}: ${why}`, { cause: failure });
  }
}

/**
 * Parses plain data into a scenario, or reports the exact location of a mistake and the valid form.
 */
export function parseScenario(data: unknown, file: string): Scenario {
  const { rules } = requireValid(file, scenarioSchema, data, 'scenario', '{ rules: a list of rules }');
  return { file, rules: rules.map((rule, index) => parseRule(file, rule, `rules[${index}]`)) };
}

function parseRule(file: string, data: unknown, location: string): ScenarioRule {
  const rule = requireValid(file, ruleSchema, data, location, RULE_KEYS.join(', '));
  return {
    ...rule,
    steps: rule.steps.map((step, index) => parseStep(file, step, `${location}.steps[${index}]`)),
  };
}

function parseStep(file: string, data: unknown, location: string): ScenarioStep {
  const keys = typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.keys(data) : [];
  const [name = ''] = keys;
  if (keys.length !== 1)
    throw createScenarioError(
      file,
      location,
      `expected an object with one key, the step's name, got ${keys.length} keys`,
    );
  if (!isStepName(name))
    throw createScenarioError(
      file,
      location,
      `${quoteText(name)} is not a step; allowed: ${STEP_NAMES.join(', ')}`,
    );
  const { input, allowed } = STEP_DEFINITIONS[name];
  const value = (data as Readonly<Record<string, unknown>>)[name];
  // The table guarantees that input and name match, but the compiler cannot infer this through the
  // lookup.
  return {
    name,
    input: requireValid<unknown>(file, input, value, `${location}.${name}`, allowed),
  } as ScenarioStep;
}

function isStepName(name: string): name is StepName {
  return Object.hasOwn(STEP_DEFINITIONS, name);
}

function requireValid<T>(
  file: string,
  schema: z.ZodType<T>,
  data: unknown,
  location: string,
  allowed: string,
): T {
  const decoded = decode(schema, data, location);
  if (decoded.ok) return decoded.value;
  throw new LegionError('scenario.invalid', `${file}: ${decoded.fault.message}; allowed: ${allowed}`);
}

function createScenarioError(file: string, location: string, problem: string): LegionError {
  return new LegionError('scenario.invalid', `${file}: ${location}: ${problem}`);
}
