/** Reminds people at the terminal that the scripted agent does no real work. */
import { styleText } from 'node:util';
import { usesScriptedAgent } from '../config/legion/mode-agents.ts';
import { SCRIPTED_BANNER } from '../domain/scripted.ts';
import type { CommandContext } from './command.ts';
import type { Place } from './legion-location.ts';

/** To stderr, so that what a program reads stays as it is. */
export function showScriptedBanner({ resolved }: Place, { stderr }: Pick<CommandContext, 'stderr'>): void {
  if (usesScriptedAgent(resolved.config)) stderr.write(`${styleText('yellow', SCRIPTED_BANNER)}\n`);
}
