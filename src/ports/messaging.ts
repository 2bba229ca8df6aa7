/**
 * The port for messages: a notice published on a topic reaches every subscriber with a matching
 * pattern.
 */

/** A small notice. Text from outside is data and must never be treated as instructions. */
export interface Notice {
  /** One line a person can read. */
  readonly text: string;
  /** The same content as fields for programs. */
  readonly data: Readonly<Record<string, NoticeValue>>;
}

type NoticeValue = string | number | boolean | null | readonly string[] | readonly number[];

export type NoticeListener = (notice: Notice, topic: string) => void | Promise<void>;

/**
 * Contract:
 *
 * - Topics and patterns follow `core/model/topic.ts`; all others are rejected with `input.invalid`.
 * - `publish` resolves once the notice is handed over, not once it is received. Having no
 *   subscriber is not an error.
 * - Each subscription receives each matching notice once, in publishing order and one at a time. It
 *   receives nothing that was published before it started or after it ended.
 * - A listener that throws, rejects or hangs affects neither other listeners nor the publisher.
 * - A notice may be lost when the process exits or a listener falls too far behind. The tracker,
 *   the forge and the journal hold the truth; a notice only says that reading them is worthwhile.
 */
export interface Envoy {
  publish(topic: string, notice: Notice): Promise<void>;
  /** Returns a function that ends the subscription. */
  subscribe(pattern: string, listener: NoticeListener): () => void;
  /** Ends every subscription. */
  close(): Promise<void>;
}
