/** OpenCode as the driver speaks to it: over the HTTP interface of a server that is this worker's own. */
import { LegionError } from '../../core/model/fault.ts';
import type { Conversation, Dialect, Emit, SessionOrder } from '../../driving/dialect.ts';
import { ownGroup } from '../../driving/group.ts';
import { openSpeaker } from '../../speech/speaker.ts';
import { writeConfiguration } from './configuration.ts';
import { modelName } from './model-name.ts';
import { refusePlugins } from './plugins.ts';
import { isWornOut } from './recycle.ts';
import { type Server, startServer } from './server.ts';
import { openSession } from './session.ts';
import { awaitTools } from './tools-at-hand.ts';
import { takeTurn } from './turn.ts';

export const opencode: Dialect = {
  // It has no hook that could keep a session from ending its turn.
  reminders: 'driver',
  open: openConversation,
};

/** A session of OpenCode through its turns: one server of its own, replaced when it is worn out, and nothing left behind it. */
async function openConversation(order: SessionOrder, emit: Emit): Promise<Conversation> {
  const { workspace, worker } = order;
  const model = modelName(order);
  requireKey(order);
  writeConfiguration(order);
  const group = ownGroup(order.env);
  /** Theirs is not ours to end. */
  const strangers = group.members();
  let server = await begin(order);
  try {
    const session = await openSession(server.api, order);
    /** The server and its MCP server; whoever else is there after an interruption is a tool that was not ended. */
    let household = group.members();
    emit({ type: 'started', session });

    return {
      async turn(prompt, interrupt) {
        if (server.isGone() || isWornOut(server.memory(), Date.now() - server.startedAt)) {
          await server.stop();
          server = await begin(order);
          household = group.members();
        }
        const speaker = openSpeaker(worker, { signal: interrupt });
        const ask = (question: string) => speaker.say('ask', { question });
        const { api, gone } = server;
        const world = { api, gone, session, model, workspace, emit, ask };
        const { end, isIdle } = await takeTurn(world, prompt, interrupt);
        if (!isIdle) {
          await server.stop();
          await group.endOthers(strangers);
        } else if (end.how === 'interrupted') await group.endOthers(household);
        return end;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    // A server that ends leaves the tools it had in hand.
    await server.stop().finally(() => group.endOthers(strangers));
  }
}

/** OpenCode would ask without a key, and be refused in words that help nobody. */
function requireKey({ endpoint, env }: SessionOrder): void {
  const name = endpoint?.keyVariable;
  if (name !== undefined && !env[name])
    throw new LegionError('agent.not_ready', `the variable ${name} is not set`);
}

/** A server that has what a worker needs. */
async function begin(order: SessionOrder): Promise<Server> {
  await refusePlugins(order.workspace);
  const server = await startServer(order);
  try {
    await awaitTools(server.api);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
