/** Takes one short turn in an empty folder: the only proof that program, login and model work together. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, AgentEvent, ModelUse } from '../../../agents/agent.ts';
import type { Environment } from '../../../domain/environment.ts';
import { run } from '../../../lib/process/run.ts';
import { ASKED_FLAG } from '../../../protocol/outbox.ts';
import type { CommandContext } from '../../command.ts';

/** A model that thinks long about one word, on a cold start. */
const TURN_MS = 120_000;

const PROMPT = 'This is a check of the installation. Use no tool. Answer with the single word: ready';

export interface DryTurn {
  readonly answer: string;
  readonly problem?: string;
}

export async function dryTurn(
  agent: Agent,
  use: ModelUse,
  { env, signal }: CommandContext,
): Promise<DryTurn> {
  if (agent.kind === 'scripted') return { answer: 'it needs no model' };
  const folder = mkdtempSync(join(tmpdir(), 'legion-doctor-'));
  try {
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    const { argv, stdin, env: own } = agent.launch(randomUUID(), { prompt: PROMPT, workspace, ...use });
    const [program, ...args] = argv;
    const { stdout } = await run(program, args, {
      cwd: workspace,
      env: { ...env, ...own, ...workerEnvironment(folder) },
      input: stdin,
      timeoutMs: TURN_MS,
      signal,
    });
    return verdictOn(stdout.split('\n').flatMap((line) => agent.read(line)));
  } catch (error) {
    return { answer: '', problem: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nobody is asked to report: the question that is marked as asked lets the turn end. */
function workerEnvironment(folder: string): Environment {
  const outbox = join(folder, 'outbox');
  mkdirSync(outbox);
  writeFileSync(join(outbox, ASKED_FLAG), '');
  return {
    LEGION_WORKER: 'doctor-1-plan',
    LEGION_ISSUE: 'DOCTOR-1',
    LEGION_MODE: 'plan',
    LEGION_PHASE: 'plan',
    LEGION_PURPOSE: 'start',
    LEGION_ATTEMPT: '1',
    LEGION_WORKER_TOKEN: 'of-nobody',
    LEGION_STATE: folder,
    LEGION_OUTBOX: outbox,
  };
}

function verdictOn(events: readonly AgentEvent[]): DryTurn {
  const said = events.flatMap((event) => (event.kind === 'text' ? [event.text.trim()] : []));
  const answer = said.filter(Boolean).at(-1)?.slice(0, ANSWER_SHOWN) ?? '';
  const isEnded = events.some(({ kind }) => kind === 'turn ended');
  if (isEnded && answer !== '') return { answer: `it answered: ${answer}` };
  const error = events.findLast((event) => event.kind === 'error' || event.kind === 'login refused');
  const limit = events.find((event) => event.kind === 'rate limited');
  const why = error?.message ?? (limit === undefined ? NO_END : 'its quota is used up');
  return { answer, problem: isEnded ? 'it answered nothing' : why };
}

/** An agent that cannot reach its model tries again and again, some without a word. */
const NO_END = `no answer within ${TURN_MS / 1_000} s; see whether the model’s address can be reached from here`;

/** Characters of the answer. */
const ANSWER_SHOWN = 60;
