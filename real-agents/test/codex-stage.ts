/** The stage with Codex on it: the real program, pointed at the scripted model. */
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { codexAgent } from '../../src/agents/codex/codex-agent.ts';
import { codex } from '../../src/agents/codex/dialect.ts';
import { LegionError } from '../../src/core/model/fault.ts';
import type { Dialect } from '../../src/driving/dialect.ts';
import { drive } from '../../src/driving/drive.ts';
import { type Equipment, equipmentOf } from '../../src/driving/equipment.ts';
import type { Start } from '../../src/ports/agent.ts';
import { responses } from '../model/responses.ts';
import { KEY_VARIABLE, LAUNCHER, programOf, readOutput, type Stage, useStage } from './agent-legion.ts';

export const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';

/** A model Codex knows nothing of is offered every tool by its own name. */
const MODEL = 'gpt-5';

const SKILLS = join(import.meta.dirname, '../../skills');

const PROGRAM = programOf('codex');

export function useCodexStage(): () => Stage {
  return useStage([responses]);
}

export function codexOn({ home, env }: Stage, program = PROGRAM) {
  // A key instead of a login: asked for before anything is dispatched, and of no use at the scripted model's address.
  const environment = env({ CODEX_API_KEY: 'none' });
  return codexAgent({ launcher: LAUNCHER, home, program, environment });
}

export function startOn({ workspace, model }: Stage, prompt = 'the words of the issue') {
  const endpoint = { url: model.url, keyVariable: KEY_VARIABLE };
  return { prompt, workspace, model: MODEL, endpoint } satisfies Start;
}

export function launchOn(stage: Stage, prompt?: string) {
  return codexOn(stage).launch(SESSION, startOn(stage, prompt));
}

/** By what the session's own record says of its thread. */
export function resumeOn(stage: Stage, prompt: string) {
  return codexOn(stage).resume(SESSION, undefined, startOn(stage, prompt));
}

interface Driven {
  readonly dialect?: Dialect;
  readonly equipment?: Partial<Equipment>;
  readonly isResumed?: boolean;
}

/** Drives a turn in this process, so that the dialect or its equipment can be another one. */
export async function drivenOn(stage: Stage, { dialect = codex, equipment = {}, isResumed = false }: Driven) {
  const { home, workspace, env } = stage;
  const stdout = new PassThrough({ highWaterMark: 1_000_000 });
  const { model, endpoint, prompt } = startOn(stage);
  const order = { session: SESSION, isResumed, native: undefined, home, program: PROGRAM, model, endpoint };
  const ended = await drive(order, dialect, {
    ...{ env: env(), cwd: workspace, stdin: Readable.from([prompt]), stdout },
    signal: new AbortController().signal,
    equipment: { ...equipmentOf(LAUNCHER, SKILLS), ...equipment },
  }).catch((error: unknown) => {
    if (!(error instanceof LegionError)) throw error;
    return error;
  });
  stdout.end();
  return { ended, ...readOutput(await text(stdout)) };
}
