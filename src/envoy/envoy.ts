/** The port to messages: who publishes on a topic reaches everybody who has subscribed to a pattern it fits. */

/** Small and plain. What people outside wrote is in it as data, and nobody may take it for an instruction. */
export interface Notice {
  /** One line a person can read. */
  readonly text: string;
  /** The same in parts, for programs. */
  readonly data: Readonly<Record<string, NoticeValue>>;
}

type NoticeValue = string | number | boolean | null | readonly string[] | readonly number[];

export type Listener = (notice: Notice, topic: string) => void | Promise<void>;

/**
 * Contract:
 *
 * - Topics and patterns are those of `topic.ts`; another one is refused with `input.invalid`.
 * - `publish` resolves when the notice is handed over, not when anybody has heard it. Nobody being there is no fault.
 * - Each subscription hears each notice that fits once, in the order of publishing, one at a time: the next when the
 *   listener is done with the last. It hears nothing that was published before it began or after it ended.
 * - A listener that throws, rejects or never ends disturbs no other and not the publisher.
 * - A notice may be lost: with the process, or when a listener is too far behind. Whoever needs the truth reads the tracker,
 *   the forge or the journal; a notice only says that it is worth reading.
 */
export interface Envoy {
  publish(topic: string, notice: Notice): Promise<void>;
  /** Returns the way to end it. */
  subscribe(pattern: string, listener: Listener): () => void;
  /** Ends every subscription. */
  close(): Promise<void>;
}
