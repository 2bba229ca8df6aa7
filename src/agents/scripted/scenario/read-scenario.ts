/** Turns plain data into a scenario, or names the exact place that is wrong and what is allowed there. */
import type { z } from 'zod';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { decode } from '../../../domain/decode.ts';
import { RULE_KEYS, type Rule, ruleSchema, type Scenario, scenarioSchema } from './scenario.ts';
import { STEP_NAMES, STEPS, type Step, type StepName } from './step.ts';

export function readScenario(data: unknown, file: string): Scenario {
  const { rules } = checked(file, scenarioSchema, data, 'scenario', '{ rules: a list of rules }');
  return { file, rules: rules.map((rule, index) => readRule(file, rule, `rules[${index}]`)) };
}

function readRule(file: string, data: unknown, place: string): Rule {
  const rule = checked(file, ruleSchema, data, place, RULE_KEYS.join(', '));
  return {
    ...rule,
    steps: rule.steps.map((step, index) => readStep(file, step, `${place}.steps[${index}]`)),
  };
}

function readStep(file: string, data: unknown, place: string): Step {
  const keys = typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.keys(data) : [];
  const [name = ''] = keys;
  if (keys.length !== 1)
    throw invalid(file, place, `expected an object with one key, the step's name, got ${keys.length} keys`);
  if (!isStepName(name))
    throw invalid(file, place, `${shown(name)} is not a step; allowed: ${STEP_NAMES.join(', ')}`);
  const { input, allowed } = STEPS[name];
  const value = (data as Readonly<Record<string, unknown>>)[name];
  // The table says that this input belongs to this name, which the compiler cannot follow through the lookup.
  return { name, input: checked<unknown>(file, input, value, `${place}.${name}`, allowed) } as Step;
}

function isStepName(name: string): name is StepName {
  return Object.hasOwn(STEPS, name);
}

function checked<T>(file: string, schema: z.ZodType<T>, data: unknown, place: string, allowed: string): T {
  const decoded = decode(schema, data, place);
  if (decoded.ok) return decoded.value;
  throw new LegionError('scenario.invalid', `${file}: ${decoded.fault.message}; allowed: ${allowed}`);
}

function invalid(file: string, place: string, says: string): LegionError {
  return new LegionError('scenario.invalid', `${file}: ${place}: ${says}`);
}
