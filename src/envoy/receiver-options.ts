/** What every receiver of webhooks works with. */
import type { Clock } from '../domain/clock.ts';
import type { Envoy } from './envoy.ts';
import type { WakeUp } from './receiver.ts';

export interface ReceiverOptions {
  /** Asked for at each delivery, because it may be changed while the daemon runs. */
  readonly secret: () => string | undefined;
  /** What Legion's accounts are called there, which people speak to. */
  readonly accounts: () => readonly string[];
  /** Gets each thing once, however often it was named since the last call; is not called again before it is done. */
  readonly wake: (wakeUps: readonly WakeUp[]) => void | Promise<void>;
  readonly envoy: Pick<Envoy, 'publish'>;
  readonly clock: Clock;
  /** The file of the deliveries that came; its folder must be there. */
  readonly deliveries: string;
  /** Hears of what goes wrong after a delivery was accepted. */
  readonly onTrouble: (error: unknown) => void;
}
