/** The wire of OpenAI's chat completions, as OpenCode speaks it to a provider that is compatible with that. */
import type { ServerResponse } from 'node:http';
import { type Call, type Move, USUAL_USAGE } from './mind.ts';
import type { Wire } from './server.ts';

interface Body {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly { readonly text?: string }[] | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export const chat: Wire = {
  path: '/v1/chat/completions',
  read(data) {
    const { model, messages, tools = [] } = data as Body;
    const of = (role: Message['role']) => messages.filter((message) => message.role === role);
    const prompts = of('user').flatMap(promptOf);
    const asked = messages.findLastIndex(
      (message) => promptOf(message).length > 0 && message.role === 'user',
    );
    return {
      wire: 'chat',
      model,
      system: of('system').map(textOf).join('\n'),
      tools: tools.map(({ function: { name } }) => name),
      prompts,
      calls: callsIn(messages.slice(asked + 1)),
    };
  },
  write(move, seen, body, response) {
    // A request without tools is for a title or a summary, and no turn of the worker.
    stream(response, seen.tools.length === 0 ? { say: 'In short' } : move, (body as Body).messages.length);
  },
};

/** What OpenCode adds by itself stands in marks. */
function promptOf(message: Message): string[] {
  const text = textOf(message)
    .replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, '')
    .trim();
  return text === '' ? [] : [text];
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

function callsIn(messages: readonly Message[]): Call[] {
  const results = new Map(
    messages.flatMap((each) => (each.role === 'tool' ? [[each.tool_call_id, textOf(each)]] : [])),
  );
  return messages
    .flatMap(({ tool_calls = [] }) => tool_calls)
    .map(({ id, function: { name, arguments: input } }) => ({
      tool: name,
      input: JSON.parse(input),
      result: results.get(id),
    }));
}

type Spoken = Parameters<Wire['write']>[0];

function stream(response: ServerResponse, move: Spoken, count: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = {
      id: `chat-${count}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices,
      ...more,
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send({ role: 'assistant', content: '' });
  if ('say' in move && move.say !== undefined) send({ content: move.say });
  const call = callOf(move);
  if (call !== undefined) {
    const named = { name: call.tool, arguments: JSON.stringify(call.input) };
    send({ tool_calls: [{ index: 0, id: `call-${count}`, type: 'function', function: named }] });
  }
  const usage = move.usage ?? USUAL_USAGE;
  send({}, call === undefined ? 'stop' : 'tool_calls', {
    usage: { prompt_tokens: usage.in, completion_tokens: usage.out, total_tokens: usage.in + usage.out },
  });
  response.end('data: [DONE]\n\n');
}

function callOf(move: Move): { readonly tool: string; readonly input: object } | undefined {
  if ('run' in move) return { tool: 'bash', input: { command: move.run, description: 'Runs a command' } };
  if ('verb' in move) return { tool: `legion_${move.verb}`, input: move.input };
  return 'tool' in move ? move : undefined;
}
