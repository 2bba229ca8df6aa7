/** How an operator's word to a worker begins: the receiver must be able to tell it from another worker's. */

const OPENING = 'From operator ';

export function fromOperator(by: string, text: string): string {
  return `${OPENING}${by}:\n\n${text}`;
}

/** Another worker's message has an opening of its own, which it cannot choose. */
export function isFromOperator(body: string): boolean {
  return body.startsWith(OPENING);
}
