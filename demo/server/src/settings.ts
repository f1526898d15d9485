export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the variables that the README lists.
 * @throws RangeError that names the variable.
 */
export function readSettings({ HOST = '127.0.0.1', REDIS_URL, PUBLIC_ADDRESS, ...others }: NodeJS.ProcessEnv) {
  const count = (name: string, fallback: number, least = 0, most = 1e9): number => {
    const value = Number(others[name] ?? fallback);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new RangeError(`${name}: must be a whole number from ${least} to ${most}, got ${others[name]}`);
  };
  const [port, bots] = [count('PORT', 2567, 1, 65_535), count('BOTS', 0)];
  if (REDIS_URL && !PUBLIC_ADDRESS && ['0.0.0.0', '::'].includes(HOST)) {
    throw new RangeError(`PUBLIC_ADDRESS: must be set with REDIS_URL and HOST=${HOST}, or clients find no process`);
  }
  return {
    ...{ host: HOST, port, redis: REDIS_URL, bots },
    publicAddress: PUBLIC_ADDRESS ?? (REDIS_URL ? `${HOST}:${port}` : undefined),
    gate: {
      /** Pages on other hosts that may connect, such as `https://example.com`. */
      origins: (others.ORIGINS ?? '').split(',').filter((origin) => origin !== ''),
      /** How many seats an address may ask for in `SEAT_SECONDS`; bots ask for theirs, too. */
      seats: count('SEATS', 100 + 10 * bots, 1),
      /** Take the address from `x-real-ip`. Only behind a proxy that overwrites it: otherwise clients choose it. */
      isBehindProxy: others.PROXY === '1',
    },
    /** The same for each zone, a square with sides of `size`; the zones lie side by side from west to east. */
    zone: {
      ...{ zones: count('ZONES', 2, 1, 255), size: count('SIZE', 600, 100) },
      /** Ids have 16 bits: of clients twice as many, as some may come in the tick in which others go. */
      ...{ entities: count('ENTITIES', 2000, 0, 60_000), mostClients: count('MOST_CLIENTS', 500, 1, 2500) },
      /** How far players see, and from where on they are told of motion in every `every`th tick alone. */
      ...{ radius: count('RADIUS', 60, 1), nearRadius: 30, every: 3, hysteresis: 0.1 },
      /** Ticks a second, units a second of players, seconds that a player whose connection broke waits. */
      ...{ rate: 20, speed: count('SPEED', 24), grace: count('GRACE', 10) },
      /** Whether clients may ask for the whole zone. */
      overview: others.OVERVIEW === '1',
    },
  };
}
