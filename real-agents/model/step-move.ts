/** One step of a scenario as a model makes it: a command in the agent's shell, or a tool of Legion. */
import type { Step } from '../../src/agents/scripted/scenario/step.ts';
import type { Call, Move } from './mind.ts';
import { commitAll, exitIn, mergeBase, removeFile, replaceIn, runProgram, writeFile } from './shell.ts';

const MS_PER_S = 1_000;

/** Undefined for what only changes how the model answers, such as its usage. */
export function moveFor(step: Step, last: Call | undefined): Move | undefined {
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
      return { run: commitAll(step.input) };
    case 'merge_base':
      return { run: mergeBase(step.input) };
    case 'think':
      return { run: `sleep ${step.input / MS_PER_S}` };
    case 'crash':
      // The parent of a shell is the agent itself, whichever it is.
      return { run: 'kill -9 $PPID; sleep 60' };
    case 'hang':
      return { silent: true };
    case 'handoff':
      return { verb: 'handoff_write', input: step.input };
    case 'verdict':
    case 'verdict_from':
      return verdictOf(step, last);
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
    case 'lie':
    case 'lose_session':
    case 'ignore_term':
    case 'escape':
    case 'flood':
    case 'rate_limited':
    case 'garbage':
      throw new Error(`a model cannot play ${step.name}`);
  }
}

/** With the end of the command that came before it, where there was one. */
function verdictOf(step: Extract<Step, { name: 'verdict' | 'verdict_from' }>, last: Call | undefined): Move {
  if (step.name === 'verdict') return { verb: 'verdict', input: step.input };
  const code = exitIn(last?.result);
  const { argv, suites } = step.input;
  const detail = `${argv.join(' ')} ended with ${code ?? 'nothing'}\n${last?.result ?? ''}`.slice(0, 4_000);
  return { verb: 'verdict', input: { result: code === 0 ? 'pass' : 'fail', suites, detail } };
}

/** A verdict by a command is two moves: the command, and what it showed. */
export function movesIn(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap<Step>((step) =>
    step.name === 'verdict_from'
      ? [{ name: 'run', input: { argv: step.input.argv, expect: 'any', timeout: step.input.timeout } }, step]
      : [step],
  );
}
