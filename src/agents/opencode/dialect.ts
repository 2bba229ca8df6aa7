/**
 * OpenCode dialect: starts a server that belongs to this worker alone, and controls it over HTTP.
 */

import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { openWorkerClient } from '../../worker-client/worker-client.ts';
import type {
  AgentConversation,
  AgentDialect,
  AgentSessionOptions,
  EmitAgentLine,
} from '../runner/dialect.ts';
import { openOwnGroup } from '../runner/group.ts';
import type { OpencodeApi } from './api.ts';
import { parseModelName, refusePlugins, writeConfiguration } from './configuration.ts';
import { type OpencodeServer, startServer, waitForTools } from './server.ts';
import { runOpencodeTurn } from './turn.ts';

export const opencodeDialect: AgentDialect = {
  // OpenCode has no hook that can keep a session from ending its turn.
  reminders: 'driver',
  open: openOpencodeConversation,
};

/**
 * Runs all turns of a session on its own server, replaces the server if it is too old or uses too
 * much memory, and leaves no process behind.
 */
async function openOpencodeConversation(
  options: AgentSessionOptions,
  emit: EmitAgentLine,
): Promise<AgentConversation> {
  const { workspace, worker } = options;
  const model = parseModelName(options);
  requireKey(options);
  writeConfiguration(options);
  const group = openOwnGroup(options.env);
  /** Processes that existed before the server started and must not be terminated. */
  const preexisting = group.listMembers();
  let server = await startReadyServer(options);
  try {
    const session = await openOpencodeSession(server.api, options);
    /**
     * Processes of the server, including its MCP server. Any other process left after an interrupt
     * belongs to a tool that was not stopped.
     */
    let serverProcesses = group.listMembers();
    emit({ type: 'started', session });

    return {
      async runTurn(prompt, interrupt) {
        if (server.isGone() || shouldRecycle(server.readMemory(), Date.now() - server.startedAt)) {
          await server.stop();
          server = await startReadyServer(options);
          serverProcesses = group.listMembers();
        }
        const client = openWorkerClient(worker, { signal: interrupt });
        const ask = (question: string) => client.send('ask', { question });
        const { api, gone } = server;
        const turnContext = { api, gone, session, model, workspace, emit, ask };
        const { end, isIdle } = await runOpencodeTurn(turnContext, prompt, interrupt);
        if (!isIdle) {
          await server.stop();
          await group.endOthers(preexisting);
        } else if (end.how === 'interrupted') await group.endOthers(serverProcesses);
        return end;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    // A server that exits leaves its running tools behind.
    await server.stop().finally(() => group.endOthers(preexisting));
  }
}

/**
 * Without a key, OpenCode would still send the request, which would fail with an unhelpful error.
 */
function requireKey({ endpoint, env }: AgentSessionOptions): void {
  const name = endpoint?.keyVariable;
  if (name !== undefined && !env[name])
    throw new LegionError('agent.not_ready', `the variable ${name} is not set`);
}

/** Starts a server and waits until it provides Legion's tools. */
async function startReadyServer(options: AgentSessionOptions): Promise<OpencodeServer> {
  await refusePlugins(options.workspace);
  const server = await startServer(options);
  try {
    await waitForTools(server.api);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** A server uses 360 MB when ready and 800 MB after a turn. Memory beyond this limit is leaked. */
const MAX_SERVER_MEMORY_BYTES = 1_500 * 1_024 * 1_024;
/**
 * Servers that ran for days have hung. A restart takes four seconds, so restarting this often costs
 * little.
 */
const MAX_SERVER_AGE_MS = 2 * 3_600_000;

/**
 * Decides whether to restart an idle server, because its memory grows with every turn and does not
 * shrink. If the memory cannot be read, the age alone decides.
 */
export function shouldRecycle(memoryBytes: number | undefined, ageMs: number): boolean {
  return ageMs > MAX_SERVER_AGE_MS || (memoryBytes !== undefined && memoryBytes > MAX_SERVER_MEMORY_BYTES);
}

const sessionSchema = z.object({ id: z.string() });
/** Allows only characters that are safe in a path, because the id becomes part of one. */
const SESSION_ID_PATTERN = /^ses[A-Za-z0-9_-]{1,100}$/;

type OpencodeSessionOptions = Pick<AgentSessionOptions, 'session' | 'native' | 'isResumed' | 'worker'>;

/**
 * Opens the session on its server: continues it by id or creates it. Resolves to OpenCode's session
 * id. Rejects with `agent.session_unknown`.
 */
export async function openOpencodeSession(
  api: OpencodeApi,
  { session, native, isResumed, worker }: OpencodeSessionOptions,
): Promise<string> {
  if (!isResumed) {
    // Setting a title saves the model call that would generate one.
    const title = `${worker.LEGION_ISSUE} ${worker.LEGION_PHASE}`;
    const created = sessionSchema.safeParse(await api.post('/session', { title }));
    if (!created.success || !SESSION_ID_PATTERN.test(created.data.id))
      throw new LegionError('agent.failed', 'opencode created a session without an id');
    return created.data.id;
  }
  const known =
    native !== undefined && SESSION_ID_PATTERN.test(native)
      ? await api.find(`/session/${native}`, sessionSchema)
      : undefined;
  if (known === undefined)
    throw new LegionError('agent.session_unknown', `opencode has no session ${native ?? `for ${session}`}`);
  return known.id;
}
