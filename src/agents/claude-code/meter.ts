/** Counts what one process of the agent uses: tokens as they are used, and at the end of a turn what was missed, with the money. */
import type { AgentLine } from '../../protocol/agent-line.ts';
import type { StreamLineOf } from './stream-line.ts';

/** It knows the prices of its own models, whoever sells them; for any other it guesses. */
const PRICED = /claude/i;

export class Meter {
  #in = 0;
  #out = 0;
  #usd = 0;

  /** What is read from a cache is read, too. */
  use({ event }: StreamLineOf<'stream_event'>): readonly AgentLine[] {
    if (event.type === 'message_delta') return this.#add(0, event.usage.output_tokens);
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = event.message.usage;
    return this.#add(input_tokens + cache_creation_input_tokens + cache_read_input_tokens, 0);
  }

  /** Agents that it started, and requests of its own, stream nothing; the sums of the result have them. */
  settle({ modelUsage, total_cost_usd }: StreamLineOf<'result'>): readonly AgentLine[] {
    let tokensIn = 0;
    let tokensOut = 0;
    for (const each of Object.values(modelUsage)) {
      tokensIn += each.inputTokens + each.cacheReadInputTokens + each.cacheCreationInputTokens;
      tokensOut += each.outputTokens;
    }
    const isPriced = Object.keys(modelUsage).every((model) => PRICED.test(model));
    const usd = isPriced ? Math.max(0, total_cost_usd - this.#usd) : 0;
    return this.#add(Math.max(0, tokensIn - this.#in), Math.max(0, tokensOut - this.#out), usd);
  }

  #add(tokensIn: number, tokensOut: number, usd = 0): readonly AgentLine[] {
    this.#in += tokensIn;
    this.#out += tokensOut;
    this.#usd += usd;
    if (tokensIn === 0 && tokensOut === 0 && usd === 0) return [];
    return [{ type: 'usage', in: tokensIn, out: tokensOut, ...(usd === 0 ? {} : { usd }) }];
  }
}
