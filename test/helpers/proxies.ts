/** A way in which reactive state wraps what it is given. */
export type Wrap = <T extends object>(target: T) => T;

/** As Vue's `reactive`: reads hand out proxies, what is written is stored as it is behind them. */
export function makeReactive(): Wrap {
  const { wrap, raws } = makeWrapper((value) => raws.get(value as object) ?? value, true);
  return wrap;
}

/** As Svelte's `$state` or Valtio: what is written is wrapped first, so that lists hold proxies. */
export function makeState(): Wrap {
  const { wrap } = makeWrapper((value) => (canWrap(value) ? wrap(value) : value));
  return wrap;
}

/** As a MobX class with observable `children`: only the list is a proxy, of which objects know nothing. */
export function makeObservable(): Wrap {
  return (target) => {
    const { children } = target as { children?: object };
    if (children !== undefined) Object.assign(target, { children: new Proxy(children, {}) });
    return target;
  };
}

export const WRAPS: Record<string, () => Wrap> = {
  'as in Vue': makeReactive,
  'as in Svelte': makeState,
  'as in MobX': makeObservable,
};

function canWrap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && Object.isExtensible(value);
}

/**
 * @param store What is stored of a value that is written.
 * @param tells Whether a proxy tells what it stands for, as Vue's do.
 */
function makeWrapper(store: (value: unknown) => unknown, tells = false): { wrap: Wrap; raws: WeakMap<object, object> } {
  const proxies = new WeakMap<object, object>();
  const raws = new WeakMap<object, object>();
  const rawOf = (value: unknown): unknown => raws.get(value as object) ?? value;
  const wrap: Wrap = (target) => {
    if (raws.has(target)) return target;
    const known = proxies.get(target);
    if (known !== undefined) return known as typeof target;
    const proxy = new Proxy(target, {
      get: (object, key, receiver) => {
        if (key === '__v_raw' && tells) return object;
        if (Array.isArray(object) && SEARCHES.has(key)) {
          // Lists are searched for both, as Vue and Svelte do.
          return (value: unknown): unknown => {
            const list = object.map(rawOf) as unknown[];
            return list[key as 'indexOf' | 'includes'](rawOf(value));
          };
        }
        const value = Reflect.get(object, key, receiver) as unknown;
        const own = Reflect.getOwnPropertyDescriptor(object, key);
        // A proxy has to hand out what can never change, as a mesh's `modelViewMatrix`.
        const isFixed = own !== undefined && !own.configurable && own.writable === false;
        return canWrap(value) && !isFixed ? wrap(value) : value;
      },
      set: (object, key, value, receiver) =>
        Reflect.set(object, key, store(value), rawOf(receiver) === object ? object : receiver),
    });
    proxies.set(target, proxy);
    raws.set(proxy, target);
    return proxy as typeof target;
  };
  return { wrap, raws };
}

const SEARCHES = new Set<string | symbol>(['indexOf', 'includes']);
