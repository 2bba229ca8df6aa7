/** One kind of what waits, with how much of it there is. */
import { useId } from 'react';
import type { Group } from './groups.ts';
import { keyOf } from './groups.ts';
import { ItemView } from './item-view.tsx';
import type { Items } from './items.ts';

/** What belongs to the first ones is shown at once; the daemon reads the board or the forge for each, so the rest waits for a click. */
const OPEN_MOST = 5;

export function GroupView({
  group: { says, items: members },
  items,
}: {
  readonly group: Group;
  readonly items: Items;
}) {
  const id = useId();
  return (
    <section className="inbox-group" aria-labelledby={id}>
      <h2 id={id}>
        {says} <span className="inbox-count">{members.length}</span>
      </h2>
      {members.map((item, index) => (
        <ItemView
          key={keyOf(item)}
          item={item}
          isOpen={index < OPEN_MOST}
          isOver={items.isOver(item)}
          onDiscard={() => items.discard(item)}
        />
      ))}
    </section>
  );
}
