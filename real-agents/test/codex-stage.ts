/** Test setup with the real Codex, pointed at the scripted model. */
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createCodexAgent } from '../../src/agents/codex/codex-agent.ts';
import { codexDialect } from '../../src/agents/codex/dialect.ts';
import type { AgentDialect } from '../../src/agents/runner/dialect.ts';
import { runDriver } from '../../src/agents/runner/drive.ts';
import { type AgentEquipment, buildEquipment } from '../../src/agents/runner/equipment.ts';
import { LegionError } from '../../src/core/model/fault.ts';
import type { LaunchOptions } from '../../src/ports/agent.ts';
import { responses } from '../model/responses.ts';
import {
  type AgentTestStage,
  KEY_VARIABLE,
  LAUNCHER,
  readOutput,
  resolveProgram,
  useStage,
} from './agent-legion.ts';

export const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';

/**
 * A model name that is unknown to Codex, so that Codex offers every tool under the tool's own name.
 */
const MODEL = 'gpt-5';

const SKILLS = join(import.meta.dirname, '../../skills');

const PROGRAM = resolveProgram('codex');

export function useCodexStage(): () => AgentTestStage {
  return useStage([responses]);
}

export function createCodexOn({ home, env }: AgentTestStage, program = PROGRAM) {
  // Uses a key instead of a login. The preflight requires one of them, but the scripted model
  // ignores the key.
  const environment = env({ CODEX_API_KEY: 'none' });
  return createCodexAgent({ launcher: LAUNCHER, home, program, environment });
}

export function startOn({ workspace, model }: AgentTestStage, prompt = 'the words of the issue') {
  const endpoint = { url: model.url, keyVariable: KEY_VARIABLE };
  return { prompt, workspace, model: MODEL, endpoint } satisfies LaunchOptions;
}

export function launchCodexOn(stage: AgentTestStage, prompt?: string) {
  return createCodexOn(stage).launch(SESSION, startOn(stage, prompt));
}

/** Resumes the thread whose id is in the session's own record. */
export function resumeCodexOn(stage: AgentTestStage, prompt: string) {
  return createCodexOn(stage).resume(SESSION, undefined, startOn(stage, prompt));
}

interface DriveOptions {
  readonly dialect?: AgentDialect;
  readonly equipment?: Partial<AgentEquipment>;
  readonly isResumed?: boolean;
}

/** Runs a turn in this process, so that the dialect or its equipment can be replaced. */
export async function runDrivenTurn(
  stage: AgentTestStage,
  { dialect = codexDialect, equipment = {}, isResumed = false }: DriveOptions,
) {
  const { home, workspace, env } = stage;
  const stdout = new PassThrough({ highWaterMark: 1_000_000 });
  const { model, endpoint, prompt } = startOn(stage);
  const order = { session: SESSION, isResumed, native: undefined, home, program: PROGRAM, model, endpoint };
  const ended = await runDriver(order, dialect, {
    env: env(),
    cwd: workspace,
    stdin: Readable.from([prompt]),
    stdout,
    signal: new AbortController().signal,
    equipment: { ...buildEquipment(LAUNCHER, SKILLS), ...equipment },
  }).catch((error: unknown) => {
    if (!(error instanceof LegionError)) throw error;
    return error;
  });
  stdout.end();
  return { ended, ...readOutput(await text(stdout)) };
}
