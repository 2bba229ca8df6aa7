/** What each verb's file does: takes a checked input from a worker, and answers. */
import type { VerbInput, VerbName } from '../../protocol/verb.ts';
import type { VerbAnswer } from '../../protocol/verb-answer.ts';
import type { WorkerIdentity } from '../daemon.ts';
import type { World } from '../world.ts';

/** Whoever speaks has been let through the fence; what is written afterwards passes it once more. */
export type Saying<V extends VerbName> = (
  world: World,
  who: WorkerIdentity,
  input: VerbInput<V>,
) => Promise<VerbAnswer<V>>;
