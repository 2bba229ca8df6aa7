/** Replaces some members of a port. A spread would lose the methods of a class. */
export function overridePort<T extends object>(port: T, changes: Partial<T>): T {
  return new Proxy(port, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
