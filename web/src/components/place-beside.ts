/** Puts a popover below what opened it, or above where there is no room, and always within the window. */

const GAP_PX = 4;
const MARGIN_PX = 8;

export function placeBeside(popover: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const below = at.bottom + GAP_PX;
  const above = at.top - GAP_PX - height;
  const top = below + height + MARGIN_PX > window.innerHeight && above > MARGIN_PX ? above : below;
  // A button at the right edge opens towards the left.
  const left = at.left + width + MARGIN_PX > window.innerWidth ? at.right - width : at.left;
  popover.style.top = `${Math.max(MARGIN_PX, Math.min(top, window.innerHeight - height - MARGIN_PX))}px`;
  popover.style.left = `${Math.max(MARGIN_PX, Math.min(left, window.innerWidth - width - MARGIN_PX))}px`;
}
