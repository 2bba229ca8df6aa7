/** The command line that starts the daemon of the same legion again, whatever folder it is looked at from. */
import { launcher } from '../../launcher.ts';
import type { Place } from '../../place.ts';

/** A daemon makes little garbage at a time: a small nursery spares 15 MB and costs nothing that could be measured. */
const LEAN = ['--max-semi-space-size=1'];

export function foregroundCommand({ file, flags }: Place): readonly [program: string, ...args: string[]] {
  const config = file.named ? [`--config=${file.path}`] : [];
  const [node, ...legion] = launcher();
  return [
    node,
    ...LEAN,
    ...legion,
    'up',
    '--foreground',
    ...config,
    ...flags.map(({ name, text }) => `${name}=${text}`),
  ];
}
