/** Refuses a start at a port that something else uses, before a daemon is started only to fail. */
import { LegionError } from '../../../core/model/fault.ts';
import { ADDRESS, describeTaken, isPortFree } from '../../../http/listen.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../legion-location.ts';
import { legionsHere } from '../teams/legions.ts';

/** The daemon checks again when it takes the port: something may be faster between here and there. */
export async function refuseTakenPort({ resolved }: Place, context: CommandContext): Promise<void> {
  const { port } = resolved.config;
  if (port === 0 || (await isPortFree(port))) return;
  const legions = await legionsHere(context);
  const other = legions.find(({ url }) => url !== undefined && new URL(url).port === String(port));
  const message =
    other?.running === true
      ? `Port ${port} on ${ADDRESS} is already in use by the legion ${other.legion} (pid ${other.pid}).`
      : describeTaken(port);
  throw new LegionError('http.port_taken', message);
}
