/** Every wire the agents speak. */
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { responses } from './responses.ts';
import type { Wire } from './server.ts';

export const WIRES: readonly Wire[] = [anthropic, chat, responses];
