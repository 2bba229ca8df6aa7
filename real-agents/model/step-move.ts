/** Converts one step of a scenario to a model's move: a shell command or one of Legion's tools. */
import type { ScenarioStep } from '../../src/agents/scripted/scenario/scenario.ts';
import type { ModelMove, ToolCall } from './mind.ts';
import {
  buildCommitCommand,
  mergeBase,
  parseExitCode,
  removeFile,
  replaceIn,
  runProgram,
  writeFile,
} from './shell.ts';

const MS_PER_S = 1_000;

/** Returns undefined for a step that only changes the model's answer, such as its usage. */
export function moveFor(step: ScenarioStep, last: ToolCall | undefined): ModelMove | undefined {
  switch (step.name) {
    case 'write':
      return { run: writeFile(step.input, '>') };
    case 'append':
      return { run: writeFile(step.input, '>>') };
    case 'replace':
      return { run: replaceIn(step.input) };
    case 'remove':
      return { run: removeFile(step.input) };
    case 'run':
      return { run: runProgram(step.input.argv) };
    case 'commit':
      return { run: buildCommitCommand(step.input) };
    case 'merge_base':
      return { run: mergeBase(step.input) };
    case 'think':
      return { run: `sleep ${step.input / MS_PER_S}` };
    case 'crash':
      // The parent of the shell is the agent's process, whichever agent it is.
      return { run: 'kill -9 $PPID; sleep 60' };
    case 'hang':
      return { silent: true };
    case 'handoff':
      return { verb: 'handoff_write', input: step.input };
    case 'verdict':
    case 'verdict_from':
      return toVerdictMove(step, last);
    case 'say':
    case 'usage':
    case 'turn':
      return undefined;
    case 'issue':
    case 'status':
    case 'checkpoint':
    case 'handoff_read':
    case 'comment':
    case 'message':
    case 'ask':
    case 'split':
    case 'push':
    case 'pr_open':
    case 'pr_edit':
    case 'pr_show':
    case 'ci':
    case 'pr_ready':
    case 'review':
    case 'plan_review':
    case 'merge':
    case 'done':
    case 'error':
      return { verb: step.name, input: step.input };
    case 'exit':
    case 'await_stop':
    case 'lie':
    case 'lose_session':
    case 'ignore_term':
    case 'escape':
    case 'flood':
    case 'rate_limited':
    case 'garbage':
      throw new Error(`a scripted model cannot play the step ${step.name}`);
  }
}

/**
 * Builds the verdict. If the verdict depends on the preceding command, adds the output of that
 * command.
 */
function toVerdictMove(
  step: Extract<ScenarioStep, { name: 'verdict' | 'verdict_from' }>,
  last: ToolCall | undefined,
): ModelMove {
  if (step.name === 'verdict') return { verb: 'verdict', input: step.input };
  const code = parseExitCode(last?.result);
  const { argv, suites } = step.input;
  const detail = `${argv.join(' ')} ended with ${code ?? 'nothing'}\n${last?.result ?? ''}`.slice(0, 4_000);
  return { verb: 'verdict', input: { result: code === 0 ? 'pass' : 'fail', suites, detail } };
}

/**
 * If a step gets its verdict from a command, splits the step into two moves: the command and the
 * verdict.
 */
export function listMoveSteps(steps: readonly ScenarioStep[]): readonly ScenarioStep[] {
  return steps.flatMap<ScenarioStep>((step) =>
    step.name === 'verdict_from'
      ? [{ name: 'run', input: { argv: step.input.argv, expect: 'any', timeout: step.input.timeout } }, step]
      : [step],
  );
}
